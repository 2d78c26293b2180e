"""Records a body: runs it once for each combination of answers, and each loop body twice for each kind of iteration.

Kinds of iterations are distinguished by .masked and .last of the loop's block. The second run of a kind must repeat
the first. Between two iterations the recorder sees what one hands to the next: a name that held a vector before the
loop, and at the end of the iteration holds one that the iteration made. Tiles end with the iteration that made them.
"""

import sys

from ._core import Error
from .operands import Block, Problem
from .snapshot import vectors_held
from .verbs import LOOPS

MOST_LOOPS = 3  # maximum nesting


class Op:
    """A verb, in the order of execution. `args`: texts, or Values, where a carried vector is the one before the loop;
    `named`: the operands as the body named them."""

    def __init__(self, line, verb, args, named, result):
        self.line, self.verb, self.args, self.named, self.result = line, verb, args, named, result


class Turn:
    """One run of a loop's body, an iteration. `asked`: the answers of masked and last, if it read them."""

    def __init__(self, loop, fixed):
        self.loop, self.fixed, self.asked = loop, fixed, {}
        self.ops, self.lines, self.made = [], {}, []
        self.carried = []  # (name, vector before the loop, vector that it becomes)

    def ask(self, flag):
        return self.asked.setdefault(flag, self.fixed.get(flag, False))

    def end(self, rec, before, after):
        for name, start in before.items():
            vector = rec.origin(after[name]) if name in after else None
            if vector is not None and vector.scope is self:
                self.carried.append((name, start, vector))
        for name, start, vector in self.carried:
            vector.became.append((self.loop.line, name, start))
        for value in self.made:
            value.ended = value.ended or f"ended with its iteration of the loop in line {self.loop.line}"


class Loop:
    """A range for `for j in cta.key_blocks(i)`: yields a block per iteration. It is looped over once, to its end."""

    def __init__(self, rec, verb, args, line):
        self.rec, self.verb, self.args, self.line = rec, verb, args, line
        self.name, self.begun = None, False
        self.kinds = []  # of iterations, each with its two runs

    def __iter__(self):
        if self.begun:
            raise self.rec.error(f"the range of line {self.line} was used up: call cta.{self.verb} for each loop")
        self.begun = True
        return self._turns()

    def _turns(self):
        rec = self.rec
        rec.begin_loop(self)
        held = {name: rec.origin(vector) for name, vector in vectors_held(rec, sys._getframe(1)).items()}
        before = {name: vector for name, vector in held.items() if vector is not None}
        wanted = [{}]
        while wanted:
            fixed = wanted.pop(0)
            runs = [Turn(self, fixed), Turn(self, fixed)]
            self.kinds.append(runs)
            for turn in runs:
                rec.open.append(turn)
                try:
                    yield Block(rec, self.name, LOOPS[self.verb].result, turn)
                except GeneratorExit:
                    rec.leave(self, sys._getframe(1))
                    raise
                if rec.open[-1] is not turn:
                    raise rec.error(f"the loops of line {self.line} and line {rec.open[-1].loop.line} cross")
                turn.end(rec, before, vectors_held(rec, sys._getframe(1)))
                rec.open.pop()
            wanted += other_answers(fixed, runs[0].asked)
        for turn in (turn for runs in self.kinds for turn in runs):
            rec.scope().lines.update(turn.lines)

    def _refuse(self, *_):
        raise self.rec.error(f"a body is recorded once: write for j in cta.{self.verb}(...), without next, len or [ ]")

    __next__ = __len__ = __getitem__ = __reversed__ = _refuse


def other_answers(fixed, asked):
    """The combinations to try next: each question beyond `fixed` with its other answer."""
    names = list(asked)
    return [
        {**{earlier: asked[earlier] for earlier in names[:at]}, name: not asked[name]}
        for at, name in enumerate(names)
        if name not in fixed
    ]


class Recorder:
    """One run of the body of a kernel, with given answers. Those of `when` hold for every launch of the kernel."""

    def __init__(self, kernel, answers, when):
        self.kernel, self.body, self.source, self.answers = kernel, kernel.body, kernel.source, answers
        self.file = self.body.__code__.co_filename
        self.asked, self.when = {}, when
        self.ops, self.lines, self.made = [], {}, []  # as in Turn
        self.open = []  # open iterations, innermost last
        self.needed = set()  # (line of a loop, name): its vector is read in the next iteration or after the loop
        self.left = None
        self.top = None

    def run(self, cta):
        self.top = sys._getframe()
        try:
            self.body(cta, Problem(self))
        except UnboundLocalError as error:
            if False in self.asked.values() and hasattr(error, "add_note"):
                told = ", ".join(f"{name}: {answer}" for name, answer in self.asked.items())
                error.add_note(f"(recorded with {told}; a tile that is not there then is None)")
            raise
        self.check_left()
        if self.open:
            self.leave(self.open[-1].loop, None)
            self.check_left()
        return self

    # Lines.
    def frames(self):
        """Frames of functions in the body's file, the innermost first."""
        frame = sys._getframe(1)
        while frame is not None and frame is not self.top:
            if frame.f_code.co_filename == self.file:
                yield frame
            frame = frame.f_back

    def line(self):
        """The innermost line of the body's file."""
        frames = list(self.frames())
        if len({frame.f_code for frame in frames}) < len(frames):
            name = frames[0].f_code.co_name
            raise self.error(f"{name} calls itself: a body has no recursion; its loops are those of cta")
        return frames[0].f_lineno if frames else self.body.__code__.co_firstlineno

    def error(self, text, line=None):
        if line is None:
            frame = next(self.frames(), None)
            line = frame.f_lineno if frame is not None else self.body.__code__.co_firstlineno
        return Error(f"{self.source.label}:{line}: {text}")

    def check_line(self, line, verb):
        """Rejects a second verb on a line, or a line run twice in an iteration: iterations are counted by line."""
        other = next((scope.lines[line] for scope in [self, *self.open] if line in scope.lines), None)
        if other is None:
            return
        if other == verb:
            raise self.error(f"{verb} again: a loop over numbers, or a function called twice, repeats this line; "
                             "each verb needs a line of its own, and loops are those of cta", line)
        raise self.error(f"{verb} is the second verb of this line, after {other}: give each a line of its own", line)

    # Questions and scopes.
    def ask(self, question):
        if question in self.when:
            return self.when[question]
        return self.asked.setdefault(question, self.answers.get(question, True))

    def scope(self):
        """The innermost open iteration, or the body."""
        return self.open[-1] if self.open else self

    def begin_loop(self, loop):
        self.check_left()
        self.check_line(loop.line, loop.verb)
        if len(self.open) == MOST_LOOPS:
            raise self.error(f"a loop in {MOST_LOOPS} others: at most {MOST_LOOPS} may be inside each other", loop.line)
        loop.name = f"b{len(self.open)}"
        self.scope().ops.append(loop)
        self.scope().lines[loop.line] = loop.verb

    def leave(self, loop, frame):
        """Records that a loop is left before its end; raises later, since Python ignores errors at this moment."""
        inside = frame is not None and frame.f_code.co_filename == self.file
        why = "does not come to its end: an iterator of it was kept; loop over it with for, to its end"
        if inside:
            why = "is left before its end, by break or return: all its iterations run; put what only some of them do "
            why += "after `if j.masked`, `if j.last` or `continue`"
        line = frame.f_lineno if inside else loop.line
        self.left = self.left or (f"the loop of line {loop.line} {why}", line)

    def check_left(self):
        if self.left:
            raise self.error(*self.left)

    # Values.
    def is_open(self, scope):
        return scope is self or any(scope is turn for turn in self.open)

    def origin(self, vector):
        """Returns the vector, or after its iteration the vector before the loop whose name it took. None if it ended."""
        while not self.is_open(vector.scope):
            starts = {id(start): start for _, _, start in vector.became}
            if len(starts) != 1:
                return None
            vector = next(iter(starts.values()))
        return vector

    def read(self, value):
        """Returns the tile or vector of an operand, which must not have ended."""
        if value.rec is not self:
            raise self.error(f"{value.text()} belongs to another run of a body")
        if value.ended and (value.kind != "vec" or self.origin(value) is None):
            raise self.error(f"{value.text()} {_gone(value)}")
        vector = value
        while not self.is_open(vector.scope):
            self.needed.update((line, name) for line, name, _ in vector.became)
            vector = vector.became[0][2]
        return vector

    def check_block(self, block):
        if block.rec is not self:
            raise self.error(f"{block.text()} belongs to another run of a body")
        if block.turn is not None and not self.is_open(block.turn):
            raise self.error(f"{block.text()} is used outside its iteration")


def _gone(value):
    names = sorted({name for _, name, _ in value.became})
    if len(names) > 1:
        return f"becomes {' and '.join(names)}, which were two vectors before the loop: make one each in an iteration"
    if value.kind == "vec":
        return f"{value.ended}: the loop hands a name's vector on if the name holds one before the loop, too"
    if value.ended.startswith("ended"):
        return f"{value.ended}: load or make it in each iteration, or before the loop"
    return f"{value.ended}: use the result of that line" if "made it" in value.ended else value.ended
