"""Verdict on the values of a program: every row of O against a reference in double."""

import math

from . import _core
from ._core import Error
from .arguments import option_texts
from .common import common_to
from .mask import with_mask
from .progress import Bar
from .reference import SOFTMAX, checked_reference, judged_by
from .run import Run, in_keywords
from .signatures import takes_scenario
from .tensors import numpy
from .verdict_html import card


class Verdict:
    """Result of a check. True if every value is within the numerics rule.

    ok, text; errors: the largest of each row, (batch, heads, rows); allowed: by the rule, (batch, heads); wrong: rows
    beyond it; output, exact: O, and O in double; reference: its name. Of an exercise: hint, a question; bytes and
    needed_bytes.
    """

    def __init__(self, output, exact, allowed, what=(), reference="attention"):
        np = numpy()
        self.reference = reference
        self.output, self.exact, self.allowed = output, exact, allowed
        with np.errstate(invalid="ignore"):
            self.errors = np.abs(output - exact).max(axis=-1)
            self.errors[~np.isfinite(output).all(axis=-1)] = np.inf
        self.wrong = ~(self.errors <= allowed[..., None])
        self.ok, self.hint, self.title, self.lines = not self.wrong.any(), "", "", []
        self.say(*what)

    def say(self, *lines):
        """Appends sentences."""
        self.lines += [line for line in lines if line]

    @property
    def largest(self):
        """Largest error of O."""
        return float(self.errors.max())

    @property
    def headline(self):
        """The verdict as a sentence."""
        if self.title:
            return self.title
        if self.ok:
            return f"agrees with {self.reference} in double precision"
        wrong = int(self.wrong.sum())
        by = f", by up to {_short(self.largest)}" if math.isfinite(self.largest) else ", and some are not finite"
        return f"{wrong:,} of {self.wrong.size:,} rows {'is' if wrong == 1 else 'are'} wrong{by}"

    def sentences(self):
        """Returns the sentences below the headline."""
        if self.wrong.any():
            return self.lines
        size = float(numpy().abs(self.exact).max())
        part = f", {_short(self.largest / size)} of its largest value" if size > 0 else ""
        rule = f"the rule allows {_short(float(self.allowed.min()))}. Right: the largest error of each of "
        return [f"largest error of O {_short(self.largest)}{part};", f"{rule}{self.errors.size:,} rows", *self.lines]

    @property
    def text(self):
        return "\n".join([self.headline, *self.sentences(), *([f"Hint: {self.hint}"] if self.hint else [])])

    def __bool__(self):
        return self.ok

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return card(self)


@takes_scenario
def check(program, q, k, v, layout="bhnd", progress=True, reference=SOFTMAX, **options) -> "Verdict":
    """Computes a program on q, k and v and compares every row of O with a reference in double. Returns a Verdict.

    q, k, v, layout: as of simulate(), all three given. reference: "softmax", attention with the mask, scale and dropout
    of the options; or a function of q, k and v, arrays of float64 with the axes (batch, heads, rows, d), with K and V
    repeated for each query head, that returns O. A function knows no options: masks and scale are its own.
    options: of the scenario, but for the sizes. Throws Error.
    """
    softmax = checked_reference(reference) == SOFTMAX
    texts = with_mask(option_texts({**options, "algorithm": program}), arrays=[q, k], layout=layout)
    try:
        with Bar("check", progress) as bar:
            core, found = _core.check(texts, [q, k, v], layout, bar.show, softmax)
    except Error as error:
        raise Error(in_keywords(str(error))) from None
    run = Run(core)
    exact, allowed = (found["exact"], found["allowed"]) if softmax else judged_by(reference, run, found)
    verdict = Verdict(found["o"], exact, allowed, reference="attention" if softmax else "the reference")
    if not verdict.ok:
        verdict.say(common_to(verdict, found["q"], found["k"], run.dict(), of_scores=softmax))
    return verdict


def _short(number):
    """Returns a number as in tables: 8.46, 1.2e-03."""
    return f"{number:.2f}" if 0.1 <= abs(number) < 1000 else f"{number:.1e}"
