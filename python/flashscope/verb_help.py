"""What is shown of the table of verbs: help(fs.Cta.blend), and the page docs/verbs.md."""

import inspect
import textwrap

from .verbs import KINDS, SECTIONS

_WIDTH = 100
_RESULTS = {
    "smem": "a tile in shared memory",
    "registers": "a tile in registers",
    "vec": "a vector in registers",
    "queries": "a block of queries",
    "keys": "a block of keys",
    "heads": "a query head",
    "chunks": "a slice",
    "bool": "true or false",
}
_HEAD = """# Verbs

Every verb of `cta`, for [your own algorithm](your-own-algorithm.md). In Python, `help(fs.Cta.blend)` shows the same.
<!-- written by python/stubs/make_stubs.py -->

- **Shapes**: Br queries and Bc keys make a tile of scores, d is the head dimension, N all rows. The last tile of an
  axis may be smaller. A matrix product takes any tiles that fit together.
- **Pipe** names what works in an SM, as in `run.listing`: copies in and out, tensor cores, the FP32 pipe, the exp unit.
  "In time" are the operations that the predicted time has instead of those counted.
- **Bytes** are those between memory and the SM, in tile traffic. Work on chip moves none of them.
- **Errors** name the line of your file. All verbs reject operands of another kind or number or by name, a second verb
  on a line, and tiles that have ended. Sizes that differ are an error when the program runs.
"""


def call_of(form):
    """Returns a form as it is called: blend(O, alpha, l, PV, beta, l_new)."""
    return f"{form.verb}{form}"


def signature_of(forms):
    """Returns the signature of a verb: its operands, which have no keywords; any of them if it has several forms."""
    kind = inspect.Parameter.POSITIONAL_ONLY
    operands = [inspect.Parameter(name, kind) for name in forms[0].names]
    if len(forms) > 1:
        operands = [inspect.Parameter("operands", inspect.Parameter.VAR_POSITIONAL)]
    return inspect.Signature([inspect.Parameter("self", kind), *operands])


def text_of(forms):
    """Returns the docstring of a verb: a sentence, and the parts of each of its forms."""
    blocks = [forms[0].what] if len(forms) == 1 else []
    for form in forms:
        rows = _rows(form)
        if len(forms) > 1:
            blocks.append(f"{call_of(form)}: {form.what}")
        blocks.append("\n".join(_wrapped(name, text) for name, text in rows))
    return "\n\n".join(blocks)


def _wrapped(name, text):
    return textwrap.fill(text, _WIDTH, initial_indent=f"{name:<10}", subsequent_indent=10 * " ", break_on_hyphens=False)


def _rows(form):
    """Returns the pairs (name, text) of a form's help."""
    parts = form.parts
    return [("operands", operands_of(form) or "none"), ("result", result_of(form)),
            *((part, parts[part]) for part in ("equation", "shapes", "pipe", "bytes")), ("errors", errors_of(form))]


def errors_of(form):
    """Returns the errors of a form as text."""
    differ, others = (form.parts[part] for part in ("differ", "errors"))
    return "; ".join(["operands of another kind" if form.names else "any operand",
                      *([f"sizes that differ ({differ})"] if differ != "none" else []),
                      *([others] if others != "none" else [])])


def operands_of(form):
    """Returns the operands with their kinds: "S: a tile; m: a vector, one number per row"."""
    kinds = [f"a block of {axis}" if axis else KINDS[kind] for kind, axis in zip(form.kinds, form.axes)]
    return "; ".join(f"{name}: {kind}" for name, kind in zip(form.names, kinds))


def result_of(form):
    """Returns the result of a form as text."""
    if form.result == "same":
        taken = form.names[1 if form.verb == "jacobian" else 0]
        return f"the tile {taken}, which is the result from now on"
    if form.verb in SECTIONS["Loops"]:
        return f"{_RESULTS[form.result]} in each iteration"
    if form.result is not None:
        return _RESULTS[form.result]
    changed = changed_by(form)
    if changed is None:
        return "none"
    return changed if "to" in form.names else f"{changed}, changed in place"


def changed_by(form):
    """Returns the tile or vector that a verb without a result of its own returns; None if there is none."""
    held = (name for name, kind in zip(form.names, form.kinds) if kind in ("smem", "registers", "tile", "vec"))
    return None if form.verb == "free" else next(held, None)


def page():
    """Returns docs/verbs.md."""
    parts = [_HEAD]
    for section, verbs in SECTIONS.items():
        parts.append(f"## {section}\n")
        parts.append("| verb | what it does |\n|---|---|\n" + "".join(
            f"| [{verb}](#{verb}) | {forms[0].what} |\n" for verb, forms in verbs.items()))
        parts += [_of_verb(verb, forms) for verb, forms in verbs.items()]
    return "\n".join(parts)


def _of_verb(verb, forms):
    tables = [f"`cta.{call_of(form)}`: {form.what}\n\n| | |\n|---|---|\n" + "".join(
        f"| {name} | {_cell(name, text)} |\n" for name, text in _rows(form)) for form in forms]
    return f"### {verb}\n" + "\n".join(tables)


def _cell(name, text):
    return f"`{text}`" if name == "equation" and text != "none" else text
