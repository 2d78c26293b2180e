"""Objects that a body under the recorder holds: tiles, vectors, blocks, tensors and values of the problem.

None of them has a value yet. Python's operators on them are refused with the line and a way out.
"""

import difflib

from .verbs import COLUMNS_ARE_KEYS, QUESTIONS, ROWS_ARE_KEYS, TENSORS, VALUES


def _refuse(what):
    def refused(self, *_):
        raise self.rec.error(f"{self.text()} {what}: {self.instead}")

    return refused


class Operand:
    """A placeholder for an object of the running program. `instead` tells users what to write."""

    instead = "a body is recorded once, for all data; use the verbs of cta"

    def __init__(self, rec):
        self.rec = rec

    def __getattr__(self, name):
        if name.startswith("_"):  # probed by Python and notebooks
            raise AttributeError(name)
        raise self.rec.error(f"{self.text()} has no .{name}: {self.instead}")

    __bool__ = _refuse("is neither true nor false while the body is recorded")
    __iter__ = __len__ = __contains__ = _refuse("cannot be looped over")
    __getitem__ = _refuse("has no elements in a body")
    __index__ = __int__ = __float__ = __round__ = _refuse("is not a number while the body is recorded")
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refuse("cannot be compared")
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse("cannot be calculated with in Python")
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __add__
    __pow__ = __rpow__ = __matmul__ = __rmatmul__ = __neg__ = __pos__ = __abs__ = __add__
    __call__ = _refuse("cannot be called")
    __hash__ = object.__hash__


class Value(Operand):
    """A tile or a vector made by a verb. It ends with `scope`, the iteration or body that made it."""

    def __init__(self, rec, kind, scope, verb, line):
        super().__init__(rec)
        self.kind, self.scope, self.verb, self.line = kind, scope, verb, line
        self.ended = ""  # reason why it has ended
        self.became = []  # (line of the loop, name, vector before the loop): how loops carry it on

    def text(self):
        what = "the vector" if self.kind == "vec" else "the tile"
        return f"{what} that {self.verb} made in line {self.line}"


class Block(Operand):
    """A block of an axis: the CTA's own `row` and `col`, or a loop's, with its iteration."""

    instead = "blocks have no number in a body; .masked and .last distinguish the iterations of a loop"

    def __init__(self, rec, name, axis, turn=None):
        super().__init__(rec)
        self.name, self.axis, self.turn = name, axis, turn

    def text(self):
        return f"the block of the loop in line {self.turn.loop.line}" if self.turn else f"block {self.name}"

    def _ask(self, what):
        if self.turn is None:
            raise self.rec.error(f"block {self.name} has no .{what}: only the blocks of a loop have")
        if what == "masked" and self.axis in ("heads", "chunks"):
            raise self.rec.error(f"{self.text()} has no .masked: only blocks of keys and of queries make tiles of pairs")
        self.rec.check_block(self)
        return self.turn.ask(what)

    @property
    def masked(self):
        """True in iterations whose tile a mask hides in part."""
        return self._ask("masked")

    @property
    def last(self):
        """True in the loop's last iteration; for query_visits in the last visit of its rows."""
        return self._ask("last")


class HbmBlock(Operand):
    """A block of a tensor in memory, in the table's notation: Q[row], S[row,col], O_part.part[b0,b1], O.all."""

    instead = "cta.load reads it"

    def __init__(self, rec, tensor, code):
        super().__init__(rec)
        self.tensor, self.code = tensor, code

    def text(self):
        return f"p.{self.code}"


class HbmTensor(Operand):
    """A tensor in memory: p.K[j] are its rows j, p.S[i, j] a tile, p.O_part.part(i, j) rows of a part, p.O.all all."""

    instead = "blocks of it are p.NAME[i], p.NAME[i, j], p.NAME.all and p.NAME.part(i, j)"

    def __init__(self, rec, name):
        super().__init__(rec)
        self.name = name

    def text(self):
        return f"p.{self.name}"

    def _index(self, block, axis, of_part=False):
        if self.name.endswith("_part") and not of_part:
            raise self.rec.error(f"p.{self.name} has a copy for each part of the keys: p.{self.name}.part(i, j)")
        if not isinstance(block, Block):
            raise self.rec.error(f"p.{self.name}[{block!r}]: the index must be a block, cta.row() or a loop's")
        self.rec.check_block(block)
        if block.axis == "heads":
            raise self.rec.error(f"p.{self.name} has no blocks of heads: inside of query_heads it is that head's")
        if {block.axis, axis} == {"queries", "keys"}:
            raise self.rec.error(f"p.{self.name} has {axis} there, and {block.text()} is one of {block.axis}")
        return block.name

    def __getitem__(self, index):
        if self.name == "slopes":
            raise self.rec.error("p.slopes has one number for each head: p.slopes.all is the slope of this one")
        rows = "keys" if self.name in ROWS_ARE_KEYS else "queries"
        if not isinstance(index, tuple):
            return HbmBlock(self.rec, self.name, f"{self.name}[{self._index(index, rows)}]")
        if len(index) != 2:
            raise self.rec.error(f"p.{self.name} has rows and columns: p.{self.name}[i, j]")
        cols = "keys" if self.name in COLUMNS_ARE_KEYS else "columns"
        code = f"{self.name}[{self._index(index[0], rows)},{self._index(index[1], cols)}]"
        return HbmBlock(self.rec, self.name, code)

    def part(self, i, j):
        """Rows i of the copy that belongs to part j of the keys."""
        if not self.name.endswith("_part"):
            raise self.rec.error(f"p.{self.name} has no parts: O_part, L_part, m_part and l_part have")
        blocks = f"{self._index(i, 'queries', True)},{self._index(j, 'keys', True)}"
        return HbmBlock(self.rec, self.name, f"{self.name}.part[{blocks}]")

    @property
    def all(self):
        """The whole tensor, as one head sees it."""
        return HbmBlock(self.rec, self.name, f"{self.name}.all")


class Symbol(Operand):
    """A value of the problem that is known only at run time: p.scale."""

    instead = "hand it to a verb or to cta.chunks as it is"

    def __init__(self, rec, name):
        super().__init__(rec)
        self.name = name

    def text(self):
        return f"p.{self.name}"


class Problem:
    """p of a body: tensors, values, and questions, for each answer of which the body is recorded.

    p.dropout, p.causal, p.has_sinks: the problem has them; p.masked: some pair is hidden, whatever the mask; p.modified:
    scores are modified; p.alibi: with the slopes of ALiBi; p.paged: K and V lie in pages; p.row_fits: a row of scores
    fits in shared memory.
    """

    def __init__(self, rec):
        self._rec = rec

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in QUESTIONS:
            return self._rec.ask(QUESTIONS[name])
        if name in VALUES:
            return Symbol(self._rec, name)
        if name in TENSORS:
            return HbmTensor(self._rec, name)
        raise self._rec.error(f"p has no .{name}{nearest(name, self.__dir__())}")

    def __dir__(self):
        return [*TENSORS, *VALUES, *QUESTIONS]


def nearest(name, names):
    """Returns the end of an error: the name that may have been meant."""
    folded = [known for known in names if known.lower() == name.lower()]
    close = folded or difflib.get_close_matches(name, names, 1)
    return f": did you mean {close[0]}?" if close else "; there are " + ", ".join(names)
