"""A verdict in a notebook: sign, sentences, and errors of all rows on a logarithmic axis, with the rule as a line."""

import math

from .html import escaped, page
from .tensors import numpy

_CHECK = ('<circle cx="9" cy="9" r="8" fill="var(--text)"/><path d="M5 9.5l2.8 2.8L13 6.5" fill="none" '
          'stroke="var(--bg)" stroke-width="2"/>')
_TRIANGLE = ('<path d="M9 1L17.5 16.5H.5z" fill="var(--warn)"/><path d="M9 6v5.5M9 13v1.8" stroke="var(--bg)" '
             'stroke-width="2"/>')
_WIDTH, _BASE, _TOP = 204, 56, 18
_BINS = 26
_DECADES = 4  # below the rule; smaller errors count in the lowest bin


def card(verdict):
    """Returns the HTML of a verdict. Its sentences suffice without SVG."""
    sign = (f'<svg width="18" height="18" role="img" style="display:inline;vertical-align:text-bottom">'
            f"<title>{'agrees' if verdict.ok else 'wrong'}</title>{_CHECK if verdict.ok else _TRIANGLE}</svg>")
    lines = "<br>".join(escaped(line) for line in verdict.sentences())
    hint = f'<br><span class="m">Hint: {escaped(verdict.hint)}</span>' if verdict.hint else ""
    edge = "" if verdict.ok else ";border-color:var(--warn)"
    return page(f'<div class="f" style="display:flex;gap:10px;justify-content:space-between{edge}"><div>{sign} '
                f"<b>{escaped(verdict.headline)}</b><br>{lines}{hint}</div>{_histogram(verdict)}</div>")


def _histogram(verdict):
    """Histogram of rows by the power of ten of their error: non-finite errors at the right end, zeros at the left."""
    np = numpy()
    allowed = float(verdict.allowed.min())
    powers = _powers(np, verdict.errors.ravel())
    if not math.isfinite(allowed) or allowed <= 0 or powers is None:
        return ""
    low = math.floor(max(min(powers.min(), math.log10(allowed) - 1), math.log10(allowed) - _DECADES))
    powers = np.maximum(powers, low)
    high = math.ceil(max(powers.max(), math.log10(allowed) + 1))
    parts = [f'<svg width="{_WIDTH}" height="{_BASE + 18}" role="img" style="flex:none">'
             f"<title>Largest error of each of {powers.size:,} rows, on a logarithmic axis</title>"]
    wrong, edges = verdict.wrong.ravel(), np.linspace(low, high, _BINS + 1)
    rows = [(np.histogram(powers[which], edges)[0], colour) for which, colour in ((wrong, "--warn"), (~wrong, "--w2"))]
    most = max(int(sum(counts for counts, _ in rows).max()), 1)
    for at in range(_BINS):
        base = _BASE
        for counts, colour in rows:
            if counts[at]:
                height = max(1.5, (_BASE - _TOP) * math.sqrt(counts[at] / most))  # so that a few rows stay visible
                base -= height
                parts.append(f'<rect x="{at * _WIDTH / _BINS + 1:.1f}" y="{base:.1f}" width="{_WIDTH / _BINS - 2:.1f}" '
                             f'height="{height:.1f}" fill="var({colour})"/>')
    return "".join([*parts, _axis(low, high), _rule(allowed, low, high), "</svg>"])


def _powers(np, errors):
    """Powers of ten of the errors; rows without error get the smallest. None if no row has an error."""
    some = errors[np.isfinite(errors) & (errors > 0)]
    if some.size == 0:
        return None
    return np.log10(np.clip(np.nan_to_num(errors, nan=np.inf), some.min(), some.max()))


def _axis(low, high):
    step = max(1, math.ceil((high - low) / 4))
    marks = [f'<line x1="0" x2="{_WIDTH}" y1="{_BASE}" y2="{_BASE}" stroke="var(--muted)"/>']
    for power in range(low, high + 1, step):
        at = _WIDTH * (power - low) / (high - low)
        anchor = "start" if power == low else "end" if power == high else "middle"
        text = f"{10.0 ** power:g}" if -2 < power < 3 else f"1e{power:+03d}"
        marks.append(f'<text class="m" x="{at:.1f}" y="{_BASE + 14}" text-anchor="{anchor}">{text}</text>')
    return "".join(marks)


def _rule(allowed, low, high):
    at = _WIDTH * (math.log10(allowed) - low) / (high - low)
    left = at > _WIDTH / 2
    return (f'<line x1="{at:.1f}" x2="{at:.1f}" y1="4" y2="{_BASE}" stroke="var(--text)" stroke-dasharray="3 2"/>'
            f'<text x="{at + (-4 if left else 4):.1f}" y="12" text-anchor="{"end" if left else "start"}">'
            f"allowed {allowed:.1e}</text>")
