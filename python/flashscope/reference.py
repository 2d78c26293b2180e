"""References of a check: a function of numpy arrays in place of softmax attention, and what it lets pass."""

from . import _core
from ._core import Error
from .arguments import short
from .tensors import numpy

_DIGITS = {"fp16": 11, "bf16": 8, "fp32": 24, "e4m3": 4}  # of the significand
_DRAWS = 3
SOFTMAX = "softmax"


def checked_reference(reference):
    """Returns a reference. Raises Error unless it is "softmax" or callable."""
    if reference == SOFTMAX or callable(reference):
        return reference
    raise Error(f'reference: {short(reference)} is neither "softmax" nor a function of q, k and v')


def judged_by(reference, run, found):
    """Returns the exact O of a function of q, k and v, and the largest error of each head that passes.

    The numerics rule with another plain error: as far as O moves if q, k and v are rounded once more, up or down; in
    fp32, where programs round each sum as well, by sqrt(d) times as much.
    """
    np = numpy()
    if run.scenario.dropout:
        raise Error("reference: a function of q, k and v does not know which weights dropout drops: leave out dropout")
    group = found["q"].shape[1] // found["k"].shape[1]
    q, k, v = (found[name].astype(np.float64) for name in "qkv")
    tensors = q, np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)
    exact = _called(reference, tensors, found["o"].shape)
    draw, step = np.random.default_rng(1), 2.0 ** -_DIGITS[run.scenario.dtype]
    if run.scenario.dtype == "fp32":
        step *= q.shape[-1] ** 0.5
    plain = np.zeros(exact.shape[:2])
    for _ in range(_DRAWS):
        moved = [tensor * (1 + step * draw.choice((-1, 1), tensor.shape)) for tensor in tensors]
        plain = np.maximum(plain, np.abs(_called(reference, moved, exact.shape) - exact).max(axis=(2, 3)))
    allowed = [[_core.allowed_error(run._core, head, float(error)) for head, error in zip(*entry)]
               for entry in zip(exact, plain)]
    return exact, np.array(allowed)


def _called(reference, tensors, shape):
    """Calls a reference on copies of the tensors. Raises Error unless it returns finite numbers in the shape of O."""
    np = numpy()
    result = np.asarray(reference(*(tensor.copy() for tensor in tensors)))
    if result.dtype.kind not in "fiu":
        raise Error(f"reference: returns {result.dtype}, not an array of numbers")
    if result.shape != shape:
        raise Error(f"reference: returns {_sizes(result.shape)}, and O is (batch, heads, rows, d) = {_sizes(shape)}")
    wrong = np.argwhere(~np.isfinite(result).all(axis=-1))
    if len(wrong):
        batch, head, row = wrong[0]
        raise Error(f"reference: {len(wrong):,} of {result[..., 0].size:,} rows are not finite; the first is row {row} "
                    f"of head {head}, batch {batch}")
    return result.astype(np.float64)


def _sizes(shape):
    return f"({', '.join(map(str, shape))})"
