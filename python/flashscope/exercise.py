"""Exercises: programs to improve or to correct. A check runs the learner's program and a reference."""

import inspect
import linecache
import textwrap

from . import exercise_programs as programs
from ._core import Error
from .program import Program, program
from .reference import SOFTMAX
from .run import simulate, size
from .tensors import numpy
from .verdict import check

WHOLE = dict(batch=4, heads=32, seqlen=2048)  # scenario for counting bytes
VALUES = dict(heads=4, rows=500, head_dim=64, outliers=(3, 17), factor=6.0)  # drawn tensors with two large channels

_HEAD = """import flashscope as fs
from math import inf

@fs.kernel(grid="per_row_block", inputs=["Q", "K", "V"], outputs=["O", "L"])
"""
_FOOT = '\nmine = fs.program("mine", [forward], tiles=(128, 128))\n'


class Exercise:
    """An exercise. print(exercise) shows the statement, .start a program to begin with, .check(program) the verdict."""

    def __init__(self, number, title, statement, begins, reference, edits=(), options=(), bytes_hint="",
                 values_hint=""):
        self.number, self.title, self.statement = number, title, statement
        self.options = dict(options)
        self._begins, self._edits, self._reference = begins, edits, reference
        self._bytes_hint, self._values_hint = bytes_hint, values_hint

    @property
    def start(self):
        """Text of a cell that defines the program `mine`."""
        body = inspect.getsource(self._begins.body)
        text = _HEAD + body[body.index("def "):].replace(self._begins.name, "forward", 1) + _FOOT
        for old, new in self._edits:
            if old not in text:
                raise AssertionError(f"exercise {self.number}: {old!r} is not in its program")
            text = text.replace(old, new)
        return text

    def program(self):
        """Records .start as it is. Returns the Program."""
        text, filename = self.start.replace('"mine"', f'"exercise-{self.number}-start"'), f"<exercise {self.number}>"
        linecache.cache[filename] = len(text), None, text.splitlines(True), filename
        names = {}
        exec(compile(text, filename, "exec"), names)
        return names["mine"]

    def check(self, mine, reference=SOFTMAX):
        """Runs a program: compares every row of O with a reference in double, and its bytes with the necessary ones.

        reference: "softmax", or a function of q, k and v for a variant of the exercise, as of check().
        """
        if not isinstance(mine, Program):
            raise Error(f"exercise {self.number}: check takes a program: mine = fs.program(...); exercise.check(mine)")
        verdict = check(mine, *_drawn(), progress=False, reference=reference, **self.options)
        if not verdict.ok:
            verdict.hint = self._values_hint
            return verdict
        self._check_bytes(mine, verdict)
        return verdict

    def _check_bytes(self, mine, verdict):
        run = simulate(**WHOLE, **self.options, algorithm=mine.name)
        tiles = run.kernels[0].br, run.kernels[0].bc
        reference = program(f"exercise-{self.number}", [self._reference], tiles=tiles)
        best = simulate(**WHOLE, **self.options, algorithm=reference.name)
        moved, needed = (_moved(one) for one in (run, best))
        verdict.bytes, verdict.needed_bytes = sum(moved.values()), sum(needed.values())
        if verdict.bytes <= verdict.needed_bytes:
            verdict.say(f"tile traffic {size(verdict.bytes)}, of which all is needed")
            return
        verdict.ok, verdict.hint = False, self._bytes_hint
        verdict.title = f"right values, but {size(verdict.bytes)} of tile traffic where {size(verdict.needed_bytes)} do"
        for tensor, count in moved.items():
            if count > needed.get(tensor, 0):
                verdict.say(f"{tensor}: {size(count)} moved, {size(needed.get(tensor, 0))} needed")

    def __repr__(self):
        return f"Exercise {self.number}: {self.title}\n{textwrap.fill(self.statement, 100)}"


def _moved(run):
    """Bytes by tensor."""
    parts = run.dict()["tile_traffic"]["by_tensor"]
    return {tensor: part["read_bytes"] + part["write_bytes"] for tensor, part in parts.items()}


def _drawn():
    """Draws Q, K and V in fp16, normal, with some larger channels as models have them."""
    np = numpy()
    draw = np.random.default_rng(40)
    shape = (1, VALUES["heads"], VALUES["rows"], VALUES["head_dim"])
    q, k, v = (draw.standard_normal(shape) for _ in range(3))
    for tensor in (q, k):
        tensor[..., list(VALUES["outliers"])] *= VALUES["factor"]
    return tuple(tensor.astype(np.float16) for tensor in (q, k, v))


_MASKED = """        if j.masked:
            cta.mask(S, i, j)                      # S = mask(S)                (Br, Bc)
"""
_MASK = "        cta.mask(S, i, j)                          # S = mask(S)                (Br, Bc)\n"
_MAX = "        m_new = cta.row_max(S, m)                  # m' = max(m, rowmax(S))     (Br)\n"
_SUM = "        l = cta.add_row_sum(l, alpha, P)           # l = alpha l + rowsum(P)    (Br)\n"
_RESCALE = "        cta.scale_rows(O, alpha)                   # O = diag(alpha) O          (Br, d)\n"
_DROPOUT = """        if p.dropout:
            cta.dropout(P, i, j)                   # P = Z o P                  (Br, Bc)
"""

EXERCISES = [
    Exercise(
        1,
        "From safe softmax to online softmax",
        "The maximum, the sum and O have a loop each, and each loop reads all of K. Make one loop of the first two: "
        "update m and l together, so that K is read twice instead of three times.",
        programs.safe_softmax,
        programs.online_softmax,
        bytes_hint="when a block raises the maximum from m to m', by what is the sum of all before too large?",
        values_hint="l was summed under the old maximum: is it brought to the new one before the block is added?",
    ),
    Exercise(
        2,
        "O stays in registers",
        "The second loop reads K again, only because O needs the final m and l. Make one loop of both: keep O in "
        "registers, bring it to the new maximum in each iteration, and divide by l once, at the end.",
        programs.online_softmax,
        programs.one_loop,
        bytes_hint="which factor brings an O of the old maximum to the new one, so that K need not come twice?",
        values_hint="O, like l, was summed under the old maximum: what happens to it when m rises?",
    ),
    Exercise(
        3,
        "Skip what the mask hides",
        "With a causal mask half of the tiles are hidden, but this program reads and masks every tile. Loop over the "
        "tiles that are seen, and mask only those that the diagonal cuts.",
        programs.one_loop,
        programs.one_loop,
        edits=[("cta.key_blocks(i):    ", "cta.all_key_blocks(): "), (_MASKED, _MASK)],
        options=dict(causal=True),
        bytes_hint="which blocks of keys does no row of block i see, and which loop of cta leaves them out?",
        values_hint="which tiles does the diagonal cut, and are those masked?",
    ),
    Exercise(
        4,
        "Bug hunt: most rows are wrong",
        "This program forgets something. It is right for some rows: what do they have in common?",
        programs.one_loop,
        programs.one_loop,
        edits=[(_RESCALE, "")],
        bytes_hint="what is read more than once per row block?",
        values_hint="when an iteration raises m, which part of O was summed under the old one?",
    ),
    Exercise(
        5,
        "Bug hunt: a few rows are wrong",
        "With a causal mask a few rows are wrong, and it depends on the data. Which?",
        programs.one_loop,
        programs.one_loop,
        edits=[(_MASKED, ""), (_MAX, _MAX + _MASKED)],
        options=dict(causal=True),
        bytes_hint="what is read more than once per row block?",
        values_hint="if the largest score of a row is a hidden one, how large are exp(S - m) of those that it sees?",
    ),
    Exercise(
        6,
        "Bug hunt: wrong with dropout alone",
        "Without dropout this program is right, with it rows are wrong.",
        programs.one_loop,
        programs.one_loop,
        edits=[(_DROPOUT, ""), (_SUM, _DROPOUT + _SUM)],
        options=dict(dropout=0.2),
        bytes_hint="what is read more than once per row block?",
        values_hint="is l the sum of all weights, or of those that dropout leaves?",
    ),
]


def exercise(number):
    """Returns an exercise, 1 to 6: three ways from safe softmax to FlashAttention-2, and three bug hunts."""
    if number not in range(1, len(EXERCISES) + 1):
        raise Error(f"exercise: {number!r} is not a number from 1 to {len(EXERCISES)}")
    return EXERCISES[number - 1]
