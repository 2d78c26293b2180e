"""Source of a run's kernels, with the pipe and the bytes of each line."""

import re

from . import _core
from .html import bar, escaped, lighter, page, size, stem, table

_PIPES = {"copy_in": "copy in", "copy_out": "copy out", "tensor": "tensor cores", "fp32": "FP32 pipe",
          "exp": "exp unit", "barrier": "barrier"}
_STYLE = ("<style>.fscope .src td,.fscope .src th{font-size:11px!important;padding:0 5px}"
          ".fscope .src pre,.fscope .src p{margin:0;text-align:left}.fscope .src pre{font:inherit}</style>")
_BAR = 60  # CSS pixels
_COMMENT = re.compile(r"\s{2,}(#|//)\s*")  # before a comment at the end of a line, which tooltips show
_FIRST = re.compile(r"def \w+\(|void \w+\(Cta&")  # first line of a kernel's body


class Line:
    """A line of a kernel's source. Where it does something: pipe, times in the whole grid, bytes, tensor, share and moves.

    moves: what it reads and writes, as text.
    """

    def __init__(self, number, text, work, whole, note=""):
        self.number, self.text, self.note = number, text, note
        self.pipe, self.times, self.bytes, self.tensor, self.share, self.moves = "", 0, 0, "", 0.0, ""
        if work is not None:
            self.pipe = "registers" if work["verb"] == "fill" and not work["bytes"] else _PIPES[work["engine"]]
            self.times, self.bytes, self.tensor = work["times"], work["bytes"], work["tensor"]
            self.share = self.bytes / whole if whole else 0.0
            self.moves = _moves(work)

    def in_text(self, width):
        """Returns the line followed by its work; sources are padded to `width` characters."""
        moved = f"{size(self.bytes):>10}  {100 * self.share:5.1f} %" if self.bytes else ""
        return f"{self.number:4}  {self.text:<{width}}  {self.pipe or self.note:<18}{moved}".rstrip()

    def __repr__(self):
        return self.in_text(0)


class Listing:
    """Kernels in their original source. listing["forward"] are the lines of one; str() shows all."""

    def __init__(self, run):
        self.title = str(run.scenario.algorithm)
        parts = run.dict()["tile_traffic"]["total"]
        self.bytes = parts["read_bytes"] + parts["write_bytes"]
        ctas = {kernel.name: kernel.ctas for kernel in run.kernels}
        self.kernels = {
            kernel["name"]: _lines_of(kernel, self.bytes, ctas[kernel["name"]]) for kernel in _core.lines(run._core)
        }

    def __getitem__(self, kernel):
        return self.kernels[kernel]

    def __repr__(self):
        parts, width = [], max((len(line.text) for lines in self.kernels.values() for line in lines), default=0)
        for name, lines in self.kernels.items():
            parts += [name] * (len(self.kernels) > 1) + [line.in_text(width) for line in lines]
        return "\n".join(parts)

    def _repr_html_(self):
        heads = f"<h4>{escaped(self.title)}</h4><p class=\"m\">{size(self.bytes)} of tile traffic, by line</p>"
        most = max((line.share for lines in self.kernels.values() for line in lines), default=0) or 1
        tables = []
        for name, lines in self.kernels.items():
            left = '<span style="float:left">{}</span>'.format
            header = ["", left(escaped(name)), left("pipe"), "bytes", "", "share"]
            tables.append(table(header, [_row(line, most) for line in lines]))
        return page(_STYLE, heads, f'<div class="src">{"".join(tables)}</div>', wide=True)


def _moves(work):
    """Returns the reads and writes of a line as text: "reads Q and K, writes S (128 x 128), 32,768 times"."""
    tile, on_chip, times = f"{work['tensor']} ({work['rows']:,} x {work['cols']:,})", work["on_chip"], work["times"]
    others = [name for name in work["operands"] if name != work["tensor"]]
    read = f"reads {', '.join(others[:-1])}{' and ' * (len(others) > 1)}{others[-1]}, " if others else ""
    words = {"read": f"reads {tile} from memory{f' into {on_chip}' if on_chip else ''}",
             "write": f"writes {tile} to memory{f' from {on_chip}' if on_chip else ''}",
             "read+write": f"adds {tile} to what is in memory",
             "-": f"{read}{'changes' if work['tensor'] in work['operands'] else 'writes'} {tile}"}[work["direction"]]
    return f"{words}{f', {bytes_each:,} bytes' if (bytes_each := work['bytes_each']) else ''}, {times:,} time{'s' * (times != 1)}"


def _row(line, most):
    code, _, comment = (part.rstrip() for part in _COMMENT.sub("\0\0", line.text, 1).partition("\0\0"))
    tip = "&#10;".join(escaped(part) for part in (comment, line.moves) if part)
    tip = f' title="{tip}"' if tip else ""
    text = f'<pre{tip}>{escaped(code)}</pre>'
    pipe = f'<p class="m">{escaped(line.pipe or line.note)}</p>'
    if not line.bytes:
        return [f'<span class="m">{line.number}</span>', text, pipe, "", "", ""]
    drawn = bar(line.share / most, stem(line.tensor), lighter(line.tensor), _BAR)
    drawn = f'<div style="width:{_BAR}px">{drawn}</div>'
    return [f'<span class="m">{line.number}</span>', text, pipe, size(line.bytes), drawn, f"{100 * line.share:.1f} %"]


def _lines_of(kernel, whole, ctas):
    """Lines from the head of the body to its last verb; loops have their number of iterations."""
    source, work = kernel["source"].splitlines(), {line["line"]: line for line in kernel["lines"]}
    if not work:
        return []
    first = min(work)
    while first > 1 and not _FIRST.search(source[first - 1]):
        first -= 1
    iterations = {}
    for line in work.values():
        iterations[line["loop"]] = max(iterations.get(line["loop"], 0), line["times"])
    lines = []
    for number in range(first, max(work) + 1):
        note = f"{_per_cta(iterations[number], ctas)}, {ctas:,} CTAs" if number in iterations else ""
        lines.append(Line(number, source[number - 1].rstrip(), work.get(number), whole, note))
    return lines


def _per_cta(times, ctas):
    each = times / ctas
    return f"{each:,.0f} iteration{'s' * (each != 1)}" if each == int(each) else f"{each:,.1f} iterations on average"
