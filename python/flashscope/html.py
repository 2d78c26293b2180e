"""Parts of what a notebook shows: plain HTML and inline SVG, without scripts and fonts from elsewhere.

Colours follow the theme of Jupyter or VS Code, elsewhere that of the reader's system. Colour means a tensor.
"""
import html
import itertools

from . import _core

WIDTH = 680  # CSS pixels of an output

LIGHT = ("--bg:#fff;--text:#151a21;--muted:#56616f;--line:#dce1e8;--stripe:#f6f8fa;--track:#e6eaf0;--warn:#a85f00;"
         "--Q:#0952cc;--K:#ce7200;--V:#16b489;--S:#ffcd00;--P:#9f2508;--O:#a987b5;--stat:#56616f;--mask:#8a94a3;"
         "--on-dark:#fff;--on-light:#151a21;--w1:#151a21;--w2:#4a5566;--w3:#8592a3;--w4:#2f5266;--w5:#66507a;--launch:#9ca8b8")
DARK = ("--bg:#151a21;--text:#e8ecf2;--muted:#9aa6b5;--line:#2f3845;--stripe:#1a2029;--track:#222934;--warn:#f0a63a;"
        "--Q:#47c1f0;--K:#e7a901;--V:#10976e;--S:#ffff8d;--P:#db451f;--O:#b36b99;--stat:#9aa6b5;--mask:#6b7686;"
        "--on-dark:#0d1015;--on-light:#0d1015;--w1:#e8ecf2;--w2:#aab6c5;--w3:#7d8a9b;--w4:#8fb4c9;--w5:#b9a3cc;--launch:#55627a")
STYLE = f"""<style>.fscope{{{LIGHT}}}@media(prefers-color-scheme:dark){{.fscope{{{DARK}}}}}
[data-jp-theme-light=true] .fscope,.vscode-light .fscope{{{LIGHT}}}
[data-jp-theme-light=false] .fscope,.vscode-dark .fscope{{{DARK}}}
.fscope{{background:var(--bg);color:var(--text);font:13px/1.45 Inter,system-ui,'DejaVu Sans',sans-serif;max-width:{WIDTH}px;padding:2px}}
.fscope .m,.fscope svg .m{{color:var(--muted);fill:var(--muted)}}.fscope h4{{font-size:17px;font-weight:600;margin:0}}
.fscope p{{margin:0 0 6px}}.fscope b{{font-weight:600}}.fscope .c{{display:flex;gap:8px;margin:6px 0}}
.fscope .c>div{{border:1px solid var(--line);border-radius:6px;padding:3px 10px;flex:1;white-space:nowrap}}.fscope .c b{{font-size:19px}}
.fscope table{{border-collapse:collapse;width:100%;margin:0;font-size:13px}}.fscope tr{{background:none!important}}
.fscope th,.fscope td{{padding:1px 8px;text-align:right!important;font-weight:400;white-space:nowrap;border:0}}
.fscope td{{font-family:'JetBrains Mono','DejaVu Sans Mono',monospace;font-size:12px}}
.fscope thead th{{font-weight:600;border-bottom:1.5px solid var(--muted)}}.fscope tbody tr:nth-child(even){{background:var(--stripe)!important}}
.fscope tr>:first-child{{text-align:left!important;font-family:inherit;font-size:13px}}.fscope tfoot td{{border-top:1px solid var(--line)}}
.fscope svg{{display:block;max-width:100%}}.fscope svg .h{{font-weight:600;font-size:13px}}.fscope .l{{text-align:left!important}}.fscope svg text{{font-size:12px;fill:var(--text)}}
.fscope i{{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:7px}}
.fscope .f{{border:1px solid var(--line);border-radius:6px;padding:8px 14px;margin:6px 0}}</style>"""

numbers = itertools.count()


def escaped(text):
    return html.escape(str(text))


def page(*parts, wide=False):
    """Returns an output: parts with their style. `wide`: natural width, if larger than the default."""
    width = ' style="width:fit-content;max-width:none"' if wide else ""
    return f'{STYLE}<div class="fscope"{width}>{"".join(parts)}</div>'


def size(count):
    return "-" if count is None else _core.text_in("bytes", count)


def time(microseconds):
    return "-" if microseconds is None else _core.text_in("microseconds", microseconds).replace("us", "µs")


def percent(part):
    return _core.text_in("share", part)


def card(name, number, meaning):
    """Returns a number with its unit, what it is and what it means."""
    value, _, unit = number.rpartition(" ")
    return f'<div><span class="m">{name}</span><br><b>{value}</b> <span class="m">{unit}<br>{escaped(meaning)}</span></div>'


def cards(*all_of_them):
    return f'<div class="c">{"".join(all_of_them)}</div>'


def table(header, rows, foot=()):
    """Returns a table; cells are HTML."""
    feet = f"<tfoot>{''.join(line(row, 'td') for row in foot)}</tfoot>" if foot else ""
    body = "".join(line(row, "td") for row in rows)
    return f"<table><thead>{line(header, 'th')}</thead><tbody>{body}</tbody>{feet}</table>"


def line(cells, tag):
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def stem(tensor):
    """Returns the tensor whose colour a tensor shares: dQ and dQ_acc that of Q; all statistics share one."""
    for letter in "QKVSPO":
        if tensor.lstrip("d").split("_")[0] == letter:
            return letter
    return "mask" if tensor == "mask" else "stat"


def lighter(tensor):
    """True for gradients, which are lighter than their tensor."""
    return tensor.startswith("d")


def swatch(tensor):
    opacity = ";opacity:.55" if lighter(tensor) else ""
    return f'<i style="background:var(--{stem(tensor)}){opacity}"></i>{escaped(tensor)}'


def bar(part, colour, faint=False, width=170):
    """Returns a bar on a track, proportional to a part of the whole."""
    opacity = ' opacity=".55"' if faint else ""
    return (f'<svg width="{width}" height="10" role="img"><rect width="{width}" height="10" rx="2" fill="var(--track)"/>'
            f'<rect width="{max(part * width, 0.7 if part else 0):.1f}" height="10" rx="2" fill="var(--{colour})"{opacity}/></svg>')


class Drawing:
    """An SVG with its own hatches, so that outputs do not depend on each other."""

    hatches = {"data": '<path d="M1.5 1.5h1.5v1.5h-1.5z" fill="var(--muted)"/>',
               "bandwidth": '<path d="M0 2.5h5" stroke="var(--muted)"/>',
               "barrier": '<path d="M2.5 0v5" stroke="var(--muted)"/>',
               "turn": '<path d="M1 1l2 1.5l-2 1.5" fill="none" stroke="var(--muted)"/>',
               "stage": '<path d="M1 1h3v3h-3z" fill="none" stroke="var(--muted)"/>',
               "link": '<path d="M0 2.5h4M2.5 1l1.5 1.5l-1.5 1.5" fill="none" stroke="var(--muted)"/>',
               "busy": '<path d="M-1 1l2-2M0 5l5-5M4 6l2-2" stroke="var(--muted)"/>'}
    solids = {"issue": "w1", "exp": "w2", "smem": "w3", "tensor": "w4", "fp32": "w5", "launch": "launch", "tail": "track"}

    def __init__(self, width, height):
        self.width, self.height, self.parts, self.used = width, height, [], {}
        self.name = f"fs{next(numbers)}"

    def fill(self, cause):
        """Returns the paint of a cause: work is solid, waits are hatched."""
        if cause in self.solids:
            return f"var(--{self.solids[cause]})"
        kind = "busy" if cause.endswith("busy") else cause
        self.used[kind] = (f'<pattern id="{self.name}{kind}" width="5" height="5" patternUnits="userSpaceOnUse">'
                           f'<rect width="5" height="5" fill="var(--stripe)"/>{self.hatches[kind]}</pattern>')
        return f"url(#{self.name}{kind})"

    def rect(self, x, y, width, height, fill, tip="", faint=False):
        opacity = ' opacity=".55"' if faint else ""
        self.parts.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" fill="{fill}"{opacity}>'
                          f"<title>{escaped(tip)}</title></rect>" if tip else
                          f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" rx="2" fill="{fill}"/>')

    def text(self, x, y, words, anchor="start", style="", fill=""):
        fill = f' style="fill:{fill}"' if fill else ""
        style = f' class="{style}"' if style else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}"{style}{fill}>{escaped(words)}</text>')

    def svg(self):
        defs = f"<defs>{''.join(self.used.values())}</defs>" if self.used else ""
        return (f'<svg role="img" width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}">'
                f'{defs}{"".join(self.parts)}</svg>')


def causes_of(budget):
    """Returns the causes that take time, as (key, microseconds, row of the table): work first, then by length."""
    rows = {cause["key"]: cause for cause in _core.causes()}
    found = [(key, value, rows[key]) for key, value in budget.items() if value is not None and value > 0]
    return sorted(found, key=lambda cause: (not cause[2]["work"], -cause[1]))


def text_width(words):
    return 6.6 * len(words)
