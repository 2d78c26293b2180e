"""Code of a recorded body for an .fscope file: a line for each verb, iterations of loops, vectors that they carry."""

import itertools

from .operands import Value
from .record import Loop

VARIANTS = [dict(masked=masked, last=last) for masked, last in itertools.product((False, True), repeat=2)]


def code_of(rec):
    """Returns the code of a recording. Raises Error if one table cannot express it."""
    _check_replaced(rec, rec, {})
    return "".join(line + "\n" for line in _Writer(rec).scope(rec))


def _carries(rec, turn):
    """Pairs (vector before the loop, vector of the iteration) for each name that is read later."""
    carries = {}
    for name, start, vector in turn.carried:
        if (turn.loop.line, name) not in rec.needed:
            continue
        if carries.setdefault(id(start), (start, vector))[1] is not vector:
            raise rec.error(f"{start.text()} has several names in the loop of line {turn.loop.line}, one is {name}, "
                            "and each becomes another vector: make one for each name before the loop", start.line)
    return carries.values()


def _check_replaced(rec, scope, content):
    """Replays a recording in order: an operand must be the current content of the vector's register."""
    for op in scope.ops:
        if not isinstance(op, Loop):
            for value, named in zip(op.args, op.named):
                if isinstance(value, Value) and content.get(id(value), value) is not named:
                    now = content[id(value)]
                    raise rec.error(f"{named.text()} was replaced in a loop by what {now.verb} made in line "
                                    f"{now.line}: make a vector for each name that a loop changes, before it", op.line)
            continue
        for turn in itertools.chain.from_iterable(op.kinds):
            _check_replaced(rec, turn, content)
            for start, vector in list(_carries(rec, turn)):
                content[id(start)] = content.get(id(vector), vector)


class _Writer:
    """Writes scopes, and numbers registers in order of creation; iterations reuse numbers."""

    def __init__(self, rec):
        self.rec, self.registers, self.used = rec, {}, 0

    def scope(self, scope):
        lines = []
        for op in scope.ops:
            lines += self.loop(op) if isinstance(op, Loop) else [self.verb(op)]
        return lines

    def line(self, line):
        return self.rec.source.first + line

    def verb(self, op):
        words = [op.verb] + [self.register(arg) if isinstance(arg, Value) else arg for arg in op.args]
        if op.result is not None:
            self.registers[id(op.result)] = self.used
            words[:0] = [f"r{self.used}", "="]
            self.used += 1
        return " ".join(words if op.verb == "free" else [str(self.line(op.line)), *words])

    def register(self, value):
        return f"r{self.registers[id(value)]}"

    def loop(self, loop):
        before, used, most, turns = dict(self.registers), self.used, self.used, {}
        for first, second in loop.kinds:
            texts = []
            for turn in (first, second):
                self.registers, self.used = dict(before), used
                texts.append(self.turn(turn))
                most = max(most, self.used)
            if texts[0] != texts[1]:
                self.refuse(loop, *texts)
            turns.setdefault(tuple(texts[0]), []).extend(_variants(first.asked))
        self.registers, self.used = before, most
        lines = [" ".join([str(self.line(loop.line)), "loop", loop.name, loop.verb, *loop.args])]
        for text, variants in turns.items():
            lines += ["turn " + " ".join(sorted(variants)), *text, "end"]
        return [*lines, "end"]

    def turn(self, turn):
        lines = self.scope(turn)
        return lines + [f"carry {self.register(to)} {self.register(of)}" for to, of in _carries(self.rec, turn)]

    def refuse(self, loop, one, other):
        differ = next(b or a for a, b in itertools.zip_longest(one, other) if a != b)
        number = differ.split()[0]
        line = int(number) - self.rec.source.first if number.isdigit() else loop.line
        raise self.rec.error(f"an iteration of the loop in line {loop.line} does not repeat the one before: here is "
                             f"`{differ}` in one of them; only .masked and .last of its block distinguish "
                             "iterations", line)


def _variants(asked):
    """Kinds of iterations with these answers: 00 01 10 11, masked x last."""
    return [
        f"{variant['masked']:d}{variant['last']:d}"
        for variant in VARIANTS
        if all(variant[flag] == answer for flag, answer in asked.items())
    ]
