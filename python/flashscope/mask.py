"""mask_mod: a function that tells which keys a query sees, evaluated on arrays and expressed by the options of masks."""

import itertools
import re

from . import _core
from ._core import Error
from .arguments import keyword, text_of
from .common import visible_keys
from .score import parameters_of
from .source import Place
from .tensors import numpy

MOST_PAIRS = 1 << 26
AT_ONCE = 1 << 22  # pairs
MOST_DOCUMENTS = 65536
NAMES = ["q", "k", "Nq", "Nk"]
USUAL = {"causal": False, "causal-from": "bottom-right", "window": None, "prefix": 0, "documents": None, "padding": 0}

masks = {}  # names of the user's programs -> their mask_mod


def with_mask(texts, names=None, arrays=(), layout="bhnd"):
    """Returns option texts with those of the mask of a program, for the sizes that the options or q and k have.

    names: of the algorithms; without them the one of the options. Raises Error for a mask besides it.
    """
    names = [texts.get("algorithm")] if names is None else names
    own = {masks[name]: name for name in names if name in masks}
    if not own:
        return texts
    if len(own) > 1:
        raise Error(f"mask_mod: {' and '.join(own.values())} have a mask each: compare programs of one mask")
    (mask_mod, name), = own.items()
    scenario = _core.simulate({**texts, "algorithm": name, **_sizes_of(arrays, layout)}).values()["scenario"]
    _check_alone(name, scenario)
    options = options_of(mask_mod, scenario["seqlen-q"], scenario["seqlen-k"])
    return {**texts, **{option: text_of(value) for option, value in options.items()}}


def check_no_mask(what, algorithm, axes):
    """Raises Error if an algorithm has a mask_mod. axes: of a sweep, texts or pairs (option, values)."""
    names = [algorithm]
    for axis in axes:
        option, _, values = axis.partition("=") if isinstance(axis, str) else (axis[0], "", axis[1])
        names += re.findall(r"[\w-]+", str(values)) if option == "algorithm" else []
    for name in names:
        if name in masks:
            raise Error(f"{what}: {name} has a mask_mod, which is evaluated for one size: give the mask by causal, window, "
                        "prefix and documents")


def _sizes_of(arrays, layout):
    """Returns the lengths that q and k give, as option texts."""
    sizes = {}
    for option, array in zip(("seqlen-q", "seqlen-k"), arrays):
        shape = tuple(getattr(array, "shape", ()))
        if len(shape) > 1:
            sizes[option] = str(shape[-3 if layout == "bnhd" and len(shape) > 2 else -2])
    return sizes


def _check_alone(name, scenario):
    for option in USUAL:
        if scenario.get(option, USUAL[option]) != USUAL[option]:
            raise Error(f"{option}: {name} has a mask_mod, which is its mask: leave out one of them")


def options_of(mask_mod, n_q, n_k):
    """Returns the options that express a function of q and k, few of them. Raises Error with the first row that none does."""
    if n_q * n_k > MOST_PAIRS:
        raise Error(f"mask_mod: {n_q:,} x {n_k:,} = {n_q * n_k:,} pairs, more than the {MOST_PAIRS:,} that are evaluated: "
                    "use fewer, or give the mask by causal, window, prefix and documents")
    first, last = intervals_of(mask_mod, n_q, n_k)
    tried = [(_wrong_rows(first, last, n_q, n_k, {**USUAL, **options}), options) for options in _candidates(first, last, n_k)]
    right = [options for wrong, options in tried if not len(wrong)]
    if right:
        return min(right, key=lambda options: ("documents" in options, len(options)))
    wrong, options = min(tried, key=lambda one: len(one[0]))
    row = wrong[0]
    begins, ends = visible_keys(n_q, n_k, {**USUAL, **options})
    words = ", ".join(f"{keyword(option)}={value!r}" for option, value in options.items()) or "no mask"
    raise Error(f"mask_mod: query {row} sees {_keys(first[row], last[row])}, which the options causal, window, prefix, "
                f"documents and padding do not express: the closest, {words}, shows it {_keys(begins[row], ends[row])}")


def _keys(first, last):
    return "no key" if first == last else f"key {first}" if last == first + 1 else f"keys {first} to {last - 1}"


def intervals_of(mask_mod, n_q, n_k):
    """Returns for each query the first key that it sees, and one past the last; both 0 if it sees none."""
    np, place = numpy(), Place(mask_mod)
    taken = parameters_of(mask_mod, NAMES, "mask_mod", place)
    first, last = np.zeros(n_q, dtype=np.int64), np.zeros(n_q, dtype=np.int64)
    for begin in range(0, n_q, max(1, AT_ONCE // n_k)):
        rows = np.arange(begin, min(n_q, begin + max(1, AT_ONCE // n_k)))
        seen = _seen(mask_mod, place, taken, dict(q=rows[:, None], k=np.arange(n_k)[None, :], Nq=n_q, Nk=n_k))
        any_key = seen.any(axis=1)
        first[rows] = np.where(any_key, seen.argmax(axis=1), 0)
        last[rows] = np.where(any_key, n_k - seen[:, ::-1].argmax(axis=1), 0)
        split = np.flatnonzero(seen.sum(axis=1) != last[rows] - first[rows])
        if len(split):
            row = split[0]
            gap = first[rows[row]] + seen[row, first[rows[row]]:].argmin()
            again = gap + seen[row, gap:].argmax()
            raise Error(f"mask_mod: query {rows[row]} sees {_keys(first[rows[row]], gap)} and again key {again}: each query "
                        "of a mask sees one interval of keys; visible blocks are those of --pattern")
    _check_rising(first, last)
    return first, last


def _seen(mask_mod, place, taken, values):
    """Calls the function. Returns a matrix of bool, queries by keys."""
    np = numpy()
    try:
        seen = np.asarray(mask_mod(**{name: values[name] for name in taken}))
    except ValueError as error:
        if "truth value" not in str(error):
            raise
        raise place.error("mask_mod is of arrays: write & for and, | for or, ~ for not, and no if",
                          place.line_of(error.__traceback__)) from None
    sizes = values["q"].shape[0], values["k"].shape[1]
    if seen.dtype != bool:
        raise place.error(f"mask_mod returns {seen.dtype}, not True or False for each pair, as k <= q is", place.first)
    try:
        return np.broadcast_to(seen, sizes)
    except ValueError:
        raise place.error(f"mask_mod returns an array {seen.shape}, not one of queries and keys {sizes}", place.first) from None


def _check_rising(first, last):
    np = numpy()
    rows = np.flatnonzero(last > first)
    back = np.flatnonzero((np.diff(first[rows]) < 0) | (np.diff(last[rows]) < 0))
    if len(back):
        before, row = rows[back[0]], rows[back[0] + 1]
        raise Error(f"mask_mod: query {row} sees {_keys(first[row], last[row])} and query {before} before it "
                    f"{_keys(first[before], last[before])}: the ends of a mask never move back")


def _wrong_rows(first, last, n_q, n_k, scenario):
    """Returns the rows in which the options of a scenario show other keys."""
    np = numpy()
    begins, ends = visible_keys(n_q, n_k, scenario)
    none = (first == last) & (begins == ends)
    return np.flatnonzero(((begins != first) | (ends != last)) & ~none)


def _candidates(first, last, n_k):
    """Yields options that may express intervals, by where the diagonal begins, padding and documents."""
    np = numpy()
    n_q, seen = len(first), last > first
    yield {}
    if not seen.any():
        return
    for corner in ("bottom-right", "top-left") if n_q != n_k else ("bottom-right",):
        diagonal = np.arange(n_q) + (0 if corner == "top-left" else n_k - n_q)
        choices = itertools.product({0, n_k - int(last.max())}, _documents(first, last, diagonal, n_k), (False, True))
        for padding, bounds, unseen_too in choices:
            options = _band(first, last, diagonal, n_k - padding, bounds, unseen_too)
            options.update({"padding": padding} if padding else {})
            options.update({"causal-from": corner} if corner == "top-left" and options else {})
            yield options


def _documents(first, last, diagonal, n_k):
    """Yields bounds of documents, and None for none: the first query of a document sees no key before its own, the last
    query none after."""
    np = numpy()
    yield None
    if diagonal[0] < 0 or diagonal[-1] >= n_k:
        return
    seen = last > first
    begins = (~seen | (first == diagonal))[1:] & (seen & (last <= diagonal + 1))[:-1]
    begins = {0, n_k, int(first[seen][0]), *map(int, diagonal[1:][begins])}
    for more in (set(), {int(last[seen][-1])}):
        bounds = sorted(begins | more)
        if 2 < len(bounds) <= MOST_DOCUMENTS + 1:
            yield np.array(bounds)


def _band(first, last, diagonal, end, bounds, unseen_too):
    """Returns the options of a band around the diagonal, within documents if there are any, by the last rows that it cuts.

    unseen_too: if it cuts none that see a key, queries that see no key tell its sides.
    """
    np = numpy()
    seen, start, until, options = last > first, np.zeros_like(first), np.full_like(last, end), {}
    if bounds is not None:
        at = np.searchsorted(bounds, diagonal, "right")
        start, until = bounds[at - 1], np.minimum(until, bounds[at])
        options["documents"] = " ".join(map(str, np.diff(bounds)))
    cut_left, cut_right = seen & (first > start), seen & (last < until)
    top, bottom = np.flatnonzero(seen)[[0, -1]]
    left = right = None
    if cut_left.any():
        left = max(0, int((diagonal - first)[cut_left][-1]))
    elif unseen_too and bottom + 1 < len(first):
        left = max(0, int(diagonal[bottom + 1] - until[bottom + 1]))
    if cut_right.any():
        right = max(0, int((last - diagonal)[cut_right][-1]) - 1)
    elif unseen_too and top > 0:
        right = max(0, -int(diagonal[top - 1]) - 1)
    if right == 0:
        options["causal"] = True
    if right:
        options["window"] = f"{-1 if left is None else left},{right}"
    elif left is not None:
        options["window"] = str(left)
    prefix = int(last[top])
    if right is not None and left is None and bounds is None and prefix > diagonal[top] + right + 1:
        options["prefix"] = prefix
    return options
