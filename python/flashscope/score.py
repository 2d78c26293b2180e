"""score_mod: a function of a score, traced once to the formula that --score takes, and the functions of formulas."""

import inspect
import math
import numbers
import operator

from ._core import Error
from .arguments import plain
from .operands import nearest
from .source import Place
from .tensors import numpy

NAMES = ["s", "q", "k", "h", "Nq", "Nk", "d", "slope"]
LONGEST = 4096  # bytes of a formula
SUM, PRODUCT, SIGN, POWER, PRIMARY = range(5)  # what binds stronger is larger
_BRANCH = "a formula has no branches: fs.minimum, fs.maximum and fs.abs bend it, and mask_mod hides keys"


def formula_of(score_mod):
    """Returns the formula of a function of names such as s, q, k, h. Raises Error with the line of what it cannot hold."""
    place = Place(score_mod)
    traced = score_mod(**{name: Score(place, name, PRIMARY) for name in parameters_of(score_mod, NAMES, "score_mod", place)})
    if isinstance(traced, Score):
        return traced.text
    if isinstance(traced, numbers.Real) and not isinstance(traced, bool):
        return _number(place, traced)[0]
    raise place.error(f"score_mod returns {traced!r} ({type(traced).__name__}), not a formula", place.first)


def parameters_of(function, names, what, place):
    """Returns the names that a function takes; those of its parameters that have defaults are its own."""
    if not callable(function):
        raise Error(f"{what}: {function!r} is not a function of {', '.join(names)}")
    taken = []
    for one in inspect.signature(function).parameters.values():
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD, one.POSITIONAL_ONLY):
            raise place.error(f"{what}: {one} is not a name: it takes {', '.join(names)}, those that it needs", place.first)
        if one.name in names:
            taken.append(one.name)
        elif one.default is one.empty:
            known = _of_flex_attention(one.name, names)
            raise place.error(f"{what}: its parameter {one.name} is unknown{known or nearest(one.name, names)}; parameters "
                              "are taken by name", place.first)
    return taken


def _of_flex_attention(name, names):
    """Returns the end of an error for a name of FlexAttention's functions."""
    ours = {"score": "s", "q_idx": "q", "kv_idx": "k", "head": "h"}.get(name)
    if ours in names:
        return f": it is {ours} here"
    return ": all batch entries and heads have one mask" if name in ("b", "h", "batch") and "s" not in names else ""


class Score:
    """A placeholder for the score or a name of its position while score_mod is traced: its operators write the formula."""

    def __init__(self, place, text, binds):
        if len(text) > LONGEST:
            raise place.error(f"the formula has more than {LONGEST:,} characters")
        self._place, self.text, self._binds = place, text, binds

    def _operand(self, other):
        """Returns the pair (text, what binds it) of an operand."""
        if isinstance(other, Score):
            return other.text, other._binds
        return _number(self._place, other)

    def _joined(self, left, sign, right, binds):
        left, right = (self._operand(one) for one in (left, right))
        least = binds if sign != "^" else PRIMARY  # (a + b) + c needs none, (a ^ b) ^ c does
        before = left[0] if left[1] >= least else f"({left[0]})"
        after = right[0] if right[1] > binds or (sign == "^" and right[1] >= SIGN) else f"({right[0]})"
        return Score(self._place, before + sign + after, binds)

    def _operator(sign, binds):
        def joined(self, other):
            return self._joined(self, sign, other, binds)

        def swapped(self, other):
            return self._joined(other, sign, self, binds)

        return joined, swapped

    __add__, __radd__ = _operator("+", SUM)
    __sub__, __rsub__ = _operator("-", SUM)
    __mul__, __rmul__ = _operator("*", PRODUCT)
    __truediv__, __rtruediv__ = _operator("/", PRODUCT)
    __pow__, __rpow__ = _operator("^", POWER)

    def __neg__(self):
        return Score(self._place, f"-{self.text}" if self._binds >= SIGN else f"-({self.text})", SIGN)

    def __pos__(self):
        return self

    def __abs__(self):
        return abs(self)  # the function of this module

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        """Called by numpy's functions and by its numbers, as in numpy.float64(2) * s."""
        if method != "__call__" or options or ufunc.__name__ not in _OF_NUMPY:
            raise self._place.error(f"numpy.{ufunc.__name__} has no formula; there are {', '.join(_OF_NUMPY)}")
        return _OF_NUMPY[ufunc.__name__](*(one if isinstance(one, Score) else Score(self._place, *self._operand(one))
                                           for one in inputs))

    def _refuse(why):
        def refused(self, *_):
            raise self._place.error(f"{self.text} {why}")

        return refused

    __bool__ = _refuse(f"is neither true nor false while score_mod is traced: {_BRANCH}")
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refuse(f"cannot be compared: {_BRANCH}")
    __and__ = __or__ = __xor__ = __invert__ = __rand__ = __ror__ = __rxor__ = __lt__
    __floordiv__ = __rfloordiv__ = _refuse("has no // in a formula: fs.floor(a / b)")
    __mod__ = __rmod__ = _refuse("has no % in a formula: a - b * fs.floor(a / b)")
    __index__ = __int__ = _refuse("is not a number while score_mod is traced: a formula reads no table, and has no int()")
    __float__ = _refuse("is not a number while score_mod is traced: functions of math take numbers, fs.tanh, fs.exp ... "
                        "formulas")
    __round__ = _refuse("is not a number while score_mod is traced: fs.floor(s + 0.5)")
    __iter__ = __len__ = __getitem__ = __contains__ = _refuse("has no elements: score_mod is of one score")
    __hash__ = object.__hash__

    def __getattr__(self, name):
        if name.startswith("_"):  # probed by Python and notebooks
            raise AttributeError(name)
        raise self._place.error(f"{self.text} has no .{name}: write fs.{name}({self.text})")

    def __repr__(self):
        return self.text


def _number(place, value):
    """Returns the pair (text, what binds it) of a number in a formula."""
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise place.error(f"{value!r} ({type(value).__name__})"[:80] + " is not a number, and a formula has only numbers")
    if not math.isfinite(value):
        raise place.error(f"{value} is not finite: mask_mod hides keys")
    whole = float(value).is_integer() and -(2**53) < value < 2**53
    text = str(int(value)) if whole else repr(float(value))
    return text, SIGN if value < 0 else PRIMARY


def _function(name, of_formula=None):
    """Makes a function of numbers, arrays and formulas. of_formula: its name in formulas."""

    def function(*operands):
        first = next((one for one in operands if isinstance(one, Score)), None)
        if first is None:
            return getattr(numpy(), name)(*operands)
        if len(operands) != count:
            raise first._place.error(f"fs.{name} takes {count} operand{'s' * (count > 1)}, not {len(operands)}")
        words = [first._operand(one)[0] for one in operands]
        return Score(first._place, f"{of_formula or name}({','.join(words)})", PRIMARY)

    count = 2 if name in ("minimum", "maximum") else 1
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"numpy.{name} of numbers and arrays, and of a formula while score_mod is traced."
    return function


abs, ceil, exp, exp2, floor, log, log2, sqrt, tanh = map(
    _function, ("abs", "ceil", "exp", "exp2", "floor", "log", "log2", "sqrt", "tanh"))
minimum, maximum = _function("minimum", "min"), _function("maximum", "max")
FUNCTIONS = {one.__name__: one for one in (abs, ceil, exp, exp2, floor, log, log2, sqrt, tanh, minimum, maximum)}
_OF_NUMPY = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
             "true_divide": operator.truediv, "power": operator.pow, "negative": operator.neg, "absolute": abs,
             **FUNCTIONS}
