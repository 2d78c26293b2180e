"""A comparison as displayed in a notebook: a table, then bytes and time, each on one scale."""
from .html import WIDTH, Drawing, causes_of, escaped, lighter, page, size, stem, table, text_width, time

LEFT, HEIGHT, STEP = 120, 18, 24  # of bars, in CSS pixels
DARK_TENSORS = ("Q", "P", "stat")  # drawn with light letters


def comparison_html(runs):
    """Returns the output of runs on one scenario."""
    first = runs[0]
    return page(f'<p class="m">{escaped(first.scenario.pass_)}: {escaped(first.shape)}</p>', numbers(runs),
                f'<p class="m">{escaped(errors_of_time(runs))}</p>', *warnings(runs),
                f'<div class="f">{bytes_drawn(runs)}{times_drawn(runs)}</div>')


def warnings(runs):
    return [f'<p style="color:var(--warn)">{escaped(f"{run.scenario.algorithm}: {text}")}</p>' 
            for run in runs for text in run.warnings if not text.startswith("no ")]


def numbers(runs):
    first = runs[0].time.microseconds
    rows = [[escaped(run.scenario.algorithm), size(run.tile_traffic.total_bytes), size(run.hbm_traffic.bytes),
             size(run.memory.peak_hbm_bytes), time(run.time.microseconds),
             "" if run is runs[0] else against(first, run.time.microseconds), escaped(run.time.bound_by or "-"), *error(run)]
            for run in runs]
    return table(["", "tile traffic", "HBM traffic", "memory", "time", "", "bound by"] + ["error"] * bool(error(runs[0])), rows)


def error(run):
    """Returns the cell with the largest error against double precision, if values were computed."""
    largest = run.number("check.max_abs_error")
    return [] if largest is None else [f'<span title="largest error of a value against double precision">{largest:.1e}</span>']


def against(first, mine):
    """Returns a time relative to the first one as text; "slower" if it is."""
    if mine is None or first is None:
        return ""
    return f"{first / mine:.2f} x faster" if mine <= first else f"{mine / first:.2f} x slower"


def errors_of_time(runs):
    if any(run.time.microseconds is None for run in runs):
        return "; ".join(w for w in runs[0].dict()["warnings"] if w.startswith("no "))
    known = [f"{run.scenario.algorithm} ± {run.time.error_percent:.1f} %" for run in runs if run.time.error_percent is not None]
    unknown = [run.scenario.algorithm for run in runs if run.time.error_percent is None]
    words = f"{', '.join(known)} (mean against published and recorded runs of the kind)" if known else ""
    return "error of time: " + "; ".join(part for part in (words, f"{', '.join(unknown)} unknown" if unknown else "") if part)


def bars(title, note, runs, amounts, parts, text):
    """Draws a bar for each run, all on one scale. `parts`: (name, amount, fill, tip, faint, colour of its name)."""
    most, width = max(amounts) or 1, WIDTH - 30 - LEFT
    drawing = Drawing(WIDTH - 30, 34 + STEP * len(runs))
    drawing.text(0, 16, title, style="h")
    drawing.text(WIDTH - 30, 16, note, "end", "m")
    for n, run in enumerate(runs):
        y, x = 26 + STEP * n, LEFT
        drawing.text(LEFT - 10, y + 13, run.scenario.algorithm, "end")
        drawing.rect(LEFT, y, width, HEIGHT, "var(--track)")
        for name, amount, fill, tip, faint, on in parts(drawing, run):
            part = width * amount / most
            drawing.rect(x, y, max(part - 0.5, 0.4), HEIGHT, fill, tip, faint)
            if on and part > text_width(name) + 8:
                drawing.text(x + part / 2, y + 13, name, "middle", fill=on)
            x += part
        if x + text_width(text(amounts[n])) + 10 < WIDTH - 30:
            drawing.text(x + 8, y + 13, text(amounts[n]))
    return drawing


def bytes_drawn(runs):
    amounts = [run.tile_traffic.total_bytes for run in runs]
    return bars("Bytes by tensor", f"one scale, to {size(max(amounts))}", runs, amounts, tensors_of, size).svg()


def tensors_of(drawing, run):
    order = "QKVSPO"
    parts = run.tile_traffic.by_tensor.dict().items()
    for name, part in sorted(parts, key=lambda part: (order.find(stem(part[0])) % 7, part[0])):
        moved, on = part["read_bytes"] + part["write_bytes"], "var(--on-dark)" if stem(name) in DARK_TENSORS else "var(--on-light)"
        if moved:
            yield name, moved, f"var(--{stem(name)})", f"{name}: {moved:,} bytes", lighter(name), on


def times_drawn(runs):
    amounts = [run.time.microseconds for run in runs]
    if None in amounts:
        return ""
    drawing = bars("Time", f"one scale, to {time(max(amounts))}; solid: work, hatched: waits", runs, amounts, causes, time)
    seen = {key: row["name"] for run in runs for key, _, row in causes_of(run.dict()["time"]["budget"])}
    x, y = LEFT, drawing.height + 10
    for key, name in seen.items():
        width = text_width(name) + 26
        if x + width > drawing.width:
            x, y = LEFT, y + 17
        drawing.rect(x, y - 9, 10, 10, drawing.fill(key))
        drawing.text(x + 14, y, name, style="m")
        x += width
    drawing.height = y + 6
    return drawing.svg()


def causes(drawing, run):
    for key, value, row in causes_of(run.dict()["time"]["budget"]):
        yield row["name"], value, drawing.fill(key), f"{row['name']}: {time(value)}, {row['meaning']}", False, ""
