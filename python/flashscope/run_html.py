"""A run as displayed in a notebook: four numbers, bytes by tensor, time by cause."""
from .html import (WIDTH, Drawing, bar, card, cards, causes_of, escaped, lighter, page, percent, size, stem, swatch, table,
                   text_width, time)


def run_html(run):
    """Returns the output of a Run."""
    return page(f"<h4>{escaped(run.title)}</h4><p class=\"m\">{escaped(about(run))}</p>", numbers(run), by_tensor(run),
                budget(run.dict()["time"]), *warnings(run))


def about(run):
    """Returns the scenario as text."""
    kernels = run.kernels
    if len(kernels) > 1:
        return f"{run.shape}, tiles {run.tiles}; {len(kernels)} kernels"
    waves = run.time.kernels[0].waves
    in_waves = "" if waves is None else f" in {waves:.2f} waves"
    return f"{run.shape}, tiles {run.tiles}, {kernels[0].ctas:,} CTAs{in_waves}"


def numbers(run):
    least, moved = run.hbm_traffic.compulsory_bytes, run.hbm_traffic.bytes
    excess = "not counted" if moved is None else "the least there is" if moved == least else f"{moved / least:.2f} x the least there is" if least else ""
    error = run.time.error_percent
    error = "error unknown" if error is None else f"± {error:.1f} %"
    meaning = f"{error}, bound by {run.time.bound_by}" if run.time.bound_by else f"no {', '.join(run.time.missing[:2])} ..."
    return cards(card("Tile traffic", size(run.tile_traffic.total_bytes), f"{from_l2(run)} of reads from L2"),
                 card("HBM traffic", size(moved), excess),
                 card("Memory", size(run.memory.peak_hbm_bytes), f"{size(run.memory.extra_hbm_bytes)} extra"),
                 card("Predicted time", time(run.time.microseconds), meaning))


def from_l2(run):
    read = run.tile_traffic.total.read_bytes
    if run.hbm_traffic.read_bytes is None:
        return "-"
    return percent(1 - run.hbm_traffic.read_bytes / read) if read else "nothing"


def by_tensor(run):
    tensors, hbm = run.tile_traffic.by_tensor.dict(), run.hbm_traffic.dict().get("by_tensor", {})
    most = max((sum(part.values()) for part in tensors.values()), default=1) or 1
    rows = []
    for name, part in tensors.items():
        hits = percent(hbm[name]["l2_hit_rate"]) if part["read_bytes"] and name in hbm else ""
        rows.append([swatch(name), *amounts(part), hits, bar(sum(part.values()) / most, stem(name), lighter(name))])
    total = run.tile_traffic.total.dict()
    return table(["tensor", "read", "written", "total", "bytes", "L2 hits", '<span class="m" style="float:left">between L2 and SMs</span>'], rows,
                 [["<b>total</b>", *amounts(total), from_l2(run) if total["read_bytes"] else "", ""]])


def amounts(part):
    read, written = part["read_bytes"], part["write_bytes"]
    return size(read) if read else "", size(written) if written else "", size(read + written), f"{read + written:,}"


def budget(times):
    """Draws the time by cause, to scale; small parts are named below."""
    causes, all_time = causes_of(times["budget"]), times["microseconds"]
    if all_time is None:
        return ""
    drawing = Drawing(WIDTH, 70)
    work = sum(value for _, value, row in causes if row["work"])
    split = WIDTH * work / all_time
    drawing.text(0, 16, f"work {time(work)}, {percent(work / all_time)}")
    if work < all_time:
        words = f"waits {time(all_time - work)}, {percent(1 - work / all_time)}"
        drawing.text(min(max(split, 190), WIDTH - text_width(words)), 16, words)
    x, small = 0, []
    for key, value, row in causes:
        width = WIDTH * value / all_time
        drawing.rect(x, 21, max(width - 1, 0.5), 22, drawing.fill(key), f"{row['name']}: {time(value)}, {row['meaning']}")
        if not name_inside(drawing, row, key, x, width):
            small.append((key, f"{row['name']} {time(value)}"))
        x += width
    legend(drawing, small, 62)
    return drawing.svg()


def name_inside(drawing, row, key, x, width):
    """Draws the name of a part inside it. False if it is too narrow."""
    words = text_width(row["name"])
    if width < words + 14:
        return False
    if not row["work"]:
        drawing.rect(x + 5, 24, words + 6, 16, "var(--bg)")
    on = {"launch": "var(--text)"}.get(key, "var(--on-dark)" if row["work"] else "var(--text)")
    drawing.text(x + 8, 36, row["name"], fill=on)
    return True


def legend(drawing, parts, y):
    """Names parts on one line, from the right; those that do not fit are in the tooltips only."""
    x = drawing.width
    for key, words in reversed(parts):
        x -= text_width(words) + 26
        if x < 0:
            return
        drawing.rect(x, y - 9, 10, 10, drawing.fill(key))
        drawing.text(x + 14, y, words, style="m")


def warnings(run):
    return [f'<p style="color:var(--warn)">{escaped(warning)}</p>' for warning in run.dict()["warnings"]]
