"""Finds a property shared by the right rows of a wrong result: a hypothesis that separates them from the wrong ones."""

from .tensors import numpy

BLOCK = 1 << 22  # scores at a time


def common_to(verdict, q, k, values, of_scores=True):
    """Returns a sentence on the right rows, or on the wrong ones if none are right; "" if nothing separates them.

    values: of the run, as in `simulate --format json`. of_scores: tries properties of the scores q k^T, too.
    """
    right = ~verdict.wrong
    if not right.any():
        return "No row is right."
    best, told = 0.5, ""
    for text, rows in _hypotheses(q, k, values, of_scores):
        share, others = rows[right].mean(), rows[~right].mean()  # of the right rows; of the wrong ones
        if share - others > best:
            best, told = share - others, text
            count = int(rows[right].sum())
    if not told:
        return ""
    rows = int(right.sum())
    if count == rows:
        return f"All {rows:,} rows that are right {told}."
    return f"{count:,} of the {rows:,} rows that are right {told}."


def _hypotheses(q, k, values, of_scores):
    """Yields pairs (property of rows, mask of the rows that have it). Rows are (batch, heads, rows)."""
    np = numpy()
    scenario, tiles = values["scenario"], values["kernels"][0]
    br, bc, shape = tiles["br"], tiles["bc"], q.shape[:3]
    first, last, hidden, best, seen = _keys_of_rows(q, k, scenario)
    cut = hidden & ((last % bc > 0) | (first % bc > 0))
    rows = np.arange(shape[2])

    def by_row(which):
        return np.broadcast_to(which, shape)

    begins, ends = (of_block(edge, at, br) for edge, at in ((first, np.minimum), (last, np.maximum)))
    if of_scores:
        yield "met their maximum in the first block of keys", best // bc == begins // bc
        yield "met their maximum in the last block of keys", best // bc == (ends - 1) // bc
        yield "see the key of their largest score", seen
    yield "are of rows that see a single block of keys", by_row((ends - 1) // bc == begins // bc)
    yield "see every key", by_row(~hidden)
    yield "are of tiles without a mask", by_row(~of_block(cut, np.maximum, br))
    yield "are of the first block of rows", by_row(rows < br)
    yield "are of the last block of rows", by_row(rows // br == (shape[2] - 1) // br)
    yield "are of the first head", by_row((np.arange(shape[1]) == 0)[:, None])
    yield "are of the first batch entry", by_row((np.arange(shape[0]) == 0)[:, None, None])


def of_block(values, at, br):
    """Returns for each row the smallest or largest value of its block of rows; `at`: numpy.minimum or maximum."""
    np = numpy()
    return np.repeat(at.reduceat(values, np.arange(0, len(values), br)), br)[: len(values)]


def visible_keys(n_q, n_k, scenario):
    """Returns for each query the first key that the masks of a scenario show it, and one past the last."""
    np = numpy()
    diagonal = np.arange(n_q) + (0 if scenario.get("causal-from") == "top-left" else n_k - n_q)
    left, _, right = str("" if scenario["window"] is None else scenario["window"]).partition(",")
    first, last = np.zeros(n_q, dtype=np.int64), np.full(n_q, n_k - scenario["padding"])
    if scenario["causal"] or right not in ("", "-1"):
        after = 0 if scenario["causal"] else int(right)
        last = np.minimum(last, np.maximum(diagonal + after + 1, scenario.get("prefix", 0)))
    if left not in ("", "-1"):
        first = diagonal - int(left)
    if scenario.get("documents"):
        bounds = np.cumsum([0, *map(int, scenario["documents"].split())])
        at = np.searchsorted(bounds, diagonal, "right")
        first, last = np.maximum(first, bounds[at - 1]), np.minimum(last, bounds[at])
    last = np.maximum(last, 0)
    return np.clip(first, 0, last), last


def _keys_of_rows(q, k, scenario):
    """Returns for each row the first key that it sees, one past the last, whether any is hidden, the key of its largest
    score among those that it sees, and whether it sees the key of its largest score among all."""
    np = numpy()
    n_q, n_k = q.shape[2], k.shape[2]
    first, last = visible_keys(n_q, n_k, scenario)
    keys = np.arange(n_k)
    best, seen = np.empty(q.shape[:3], dtype=np.int64), np.empty(q.shape[:3], dtype=bool)
    group = q.shape[1] // k.shape[1]
    step = max(1, BLOCK // n_k)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            for at in range(0, n_q, step):
                some = slice(at, at + step)
                scores = q[b, h, some] @ k[b, h // group].T * np.sign(scenario["scale"])
                visible = (keys >= first[some, None]) & (keys < last[some, None])
                best[b, h, some] = np.where(visible, scores, -np.inf).argmax(axis=1)
                seen[b, h, some] = scores.argmax(axis=1) == best[b, h, some]
    return first, last, (first > 0) | (last < n_k), best, seen
