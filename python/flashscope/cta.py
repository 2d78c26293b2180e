"""The `cta` argument of a body: its coordinates, questions, loops and verbs, which check and record their operands."""

import math
import numbers

from .operands import Block, HbmBlock, HbmTensor, Operand, Symbol, Value, nearest
from .record import Loop, Op
from .verb_help import signature_of, text_of
from .verbs import COORDINATES, EXTENTS, KINDS, LOOPS, NAMES, SECTIONS, STATISTICS, TENSORS, VERBS


class Cta:
    """The `cta` argument of a body: help(fs.Cta.load) tells what a verb computes, where it works and what is counted.

    Verbs that produce nothing new return their first tile, changed in place. A body is recorded once, for all data.
    """

    def __init__(self, rec):
        self._rec = rec

    def row(self):
        return Block(self._rec, "row", "queries")

    def col(self):
        return Block(self._rec, "col", "keys")

    def live(self, i):
        return self._question("live", i, ["row"])

    def seen(self, j):
        return self._question("seen", j, ["col", "row"])

    def _question(self, name, block, blocks):
        if not isinstance(block, Block) or block.name not in blocks:
            own = "cta.row()" if name == "live" else "cta.col()"
            raise self._rec.error(f"cta.{name} takes the CTA's own block, {own}: not {describe(block)}")
        return self._rec.ask(f"{name} {block.name}")

    def __getattr__(self, verb):
        if verb.startswith("_"):
            raise AttributeError(verb)
        raise self._rec.error(f"cta has no verb {verb}{nearest(verb, self.__dir__())}")

    def __dir__(self):
        return [*VERBS, *LOOPS, *COORDINATES]

    def _loop(self, verb, args, named):
        self._rec.check_left()
        form, line = self._form(verb, [LOOPS[verb]], args, named), self._rec.line()
        return Loop(self._rec, verb, [self._operand(verb, form, at, arg) for at, arg in enumerate(args)], line)

    def _verb(self, verb, args, named):
        rec = self._rec
        rec.check_left()
        line = rec.line()
        rec.check_line(line, verb)
        if verb == "zeros" and len(args) == 2:
            args = (*args, self._like(args[0]))
        form = self._form(verb, VERBS[verb], args, named)
        operands = [self._operand(verb, form, at, arg) for at, arg in enumerate(args)]
        rec.scope().lines[line] = verb
        result = self._result(verb, form, args, line)
        rec.scope().ops.append(Op(line, verb, operands, args, result))
        if result is not None or verb == "free":
            return result
        return next((arg for arg in args if isinstance(arg, Value)), None)

    def _result(self, verb, form, args, line):
        """Creates the result of a verb, and ends the tile whose buffer it reuses."""
        rec = self._rec
        kind, scope, taken = form.result, rec.scope(), None
        if kind == "same" or verb == "free":
            taken = args[1 if verb == "jacobian" else 0]
            if taken is None:
                raise rec.error(f"cta.{verb}{form}: a tile that is not there has none of its own to take over")
            taken.ended = f"is gone: {verb} made it another in line {line}"
            if verb == "free":
                taken.ended = f"was freed in line {line}"
        if kind is None:
            return None
        if kind == "same":
            kind, scope = taken.kind, taken.scope
        result = Value(rec, kind, scope, verb, line)
        scope.made.append(result)
        return result

    def _like(self, name):
        """Returns the tensor of that name, whose columns zeros(name, i) takes."""
        if name in TENSORS:
            return HbmTensor(self._rec, name)
        raise self._rec.error(f"cta.zeros({name!r}, i): of how many columns? Add a tensor or a block: "
                              f"cta.zeros({name!r}, i, p.O)")

    def _form(self, verb, forms, args, named):
        """Returns the form of the verb that fits these operands, or the closest one if none does."""
        fitting = [form for form in forms if len(form.kinds) == len(args)]
        if named or not fitting:
            told = "operands by name" if named else f"{len(args)} operand{'s' * (len(args) != 1)}"
            raise self._rec.error(f"cta.{verb} takes {' or '.join(map(str, forms))}, not {told}")
        return max(fitting, key=lambda form: sum(_fits(kind, arg) for kind, arg in zip(form.kinds, args)))

    def _operand(self, verb, form, at, arg):
        """Returns the operand for the table: a Value, or its text."""
        rec, kind = self._rec, form.kinds[at]
        what = f"cta.{verb}{form}: {form.names[at]}"
        absent = arg is None and kind in ("smem", "registers", "tile") and False in rec.asked.values()
        if not absent and not _fits(kind, arg):
            raise rec.error(f"{what} must be {KINDS[kind]}, not {describe(arg, kind)}")
        if isinstance(arg, Operand) and arg.rec is not rec:
            raise rec.error(f"{arg.text()} belongs to another run of a body")
        if isinstance(arg, Value):
            return rec.read(arg)
        if isinstance(arg, Block):
            rec.check_block(arg)
            self._check_axis(what, form.axes[at], arg)
        if isinstance(arg, HbmBlock):
            self._check_place(what, verb, form, arg)
        return _text(kind, arg)

    def _check_axis(self, what, wanted, block):
        if wanted is not None and block.axis in ("queries", "keys", "heads") and block.axis != wanted:
            raise self._rec.error(f"{what} must be a block of {wanted}; {block.text()} is one of {block.axis}")

    def _check_place(self, what, verb, form, block):
        name, kernel, vector = block.tensor, self._rec.kernel, verb == "load_vec" or form.kinds[0] == "vec"
        if verb not in ("initialise", "load_registers") and vector != (name in STATISTICS):
            holds = "one number per row, for vectors" if name in STATISTICS else "tiles, not one number per row"
            raise self._rec.error(f"{what}: p.{name} holds {holds}")
        written = [*kernel.outputs, *kernel.scratch]
        if "to" in form.names and name not in written:
            raise self._rec.error(f"{what}: {name} is not among the outputs and scratch of the kernel")
        if name not in [*kernel.inputs, *written, "slopes", "block_table"]:
            raise self._rec.error(f"{what}: {name} is not among the inputs, outputs and scratch of the kernel")


def _add_verbs():
    """Makes a method of each verb of the table, and gives all of them their help."""
    for verb, forms in [(verb, forms) for verbs in SECTIONS.values() for verb, forms in verbs.items()]:
        if verb not in COORDINATES:
            setattr(Cta, verb, _method(verb, Cta._loop if verb in LOOPS else Cta._verb))
        method = getattr(Cta, verb)
        method.__doc__, method.__signature__ = text_of(forms), signature_of(forms)


def _method(verb, run):
    def method(self, *args, **named):
        return run(self, verb, args, named)

    method.__name__, method.__qualname__ = verb, f"Cta.{verb}"
    return method


_add_verbs()


def _fits(kind, arg):
    if isinstance(arg, Value):
        return arg.kind == kind or (kind == "tile" and arg.kind != "vec")
    if kind == "number":
        return arg.name == "scale" if isinstance(arg, Symbol) else _is_number(arg)
    if kind == "extent":
        return isinstance(arg, Symbol) and arg.name in EXTENTS
    if kind == "name":
        return isinstance(arg, str) and arg in NAMES
    return isinstance(arg, {"block": Block, "hbm": HbmBlock, "tensor": HbmTensor}.get(kind, ()))


def _is_number(arg):
    return isinstance(arg, numbers.Real) and not isinstance(arg, bool) and not math.isnan(arg)


def _text(kind, arg):
    if arg is None:
        return "none"
    if isinstance(arg, HbmBlock):
        return arg.code
    if kind in ("block", "tensor", "name"):
        return {"block": "", "tensor": "@", "name": ":"}[kind] + (arg if kind == "name" else arg.name)
    if isinstance(arg, Symbol):
        return f"${arg.name}"
    value = float(arg)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def describe(arg, kind=""):
    """Describes an operand in an error."""
    if isinstance(arg, HbmTensor):
        return f"{arg.text()} as a whole (which block? {arg.text()}[i])"
    if isinstance(arg, Operand):
        return arg.text()
    if isinstance(arg, Loop):
        return f"a range of blocks (loop over it: for j in cta.{arg.verb}(...))"
    if isinstance(arg, str):
        return f'"{arg}"' + (nearest(arg, NAMES) if kind == "name" else "")
    return "None" if arg is None else f"{arg!r} ({type(arg).__name__})"[:80]
