#!/usr/bin/env python3
"""Cuts the fonts of the explorer down to the characters it can show and writes them as C++ arrays.

    make_subset.py OUTPUT.cpp NAME=FONT... [--fallback NAME=FONT...] [--tabular NAME=FONT]
                   [--hanzi NAME=COLLECTION#NUMBER] [--strings FILE...]

NAME is what viz/ui/fonts.cpp calls the font. Letters that none of our texts has, but a file's name may have, are in the
fallback fonts only. The font after --tabular has what numbers need, and all its digits are equally wide: numbers do not
dance while they run. The font after --hanzi keeps the Chinese characters of the files after --strings and is left out
when there are none. The same fonts and strings give the same bytes on every machine.
"""

import argparse
import io
import pathlib

from fontTools import subset
from fontTools.ttLib import TTFont

ASCII = range(0x20, 0x7F)
LATIN = [*ASCII, *range(0xA0, 0x100)]
RARE = range(0x100, 0x180)
NUMBERS = {*ASCII, *map(ord, "×±·µ−…")}
GREEK = [*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)]
PUNCTUATION = "‐‑–—‘’“”†•…′″‹›"
MATHS = "⁰⁴⁵⁶⁷⁸⁹⁺⁻ⁿ₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₘₙᵀℓℝ←↑→↓↔⇐⇒⇔∀∂∃∇∈∉∏∑−∗∘√∝∞∧∨∩∪≈≠≡≤≥≪≫⊂⊆⊕⊗⊙⋅⋯⌈⌉⌊⌋"
SHAPES = "■□▲△▶▼▽◀◆○●✓✗"
CODE_POINTS = {*LATIN, *GREEK, *map(ord, PUNCTUATION + MATHS + SHAPES)}


def hanzi_of(files):
    """The Chinese characters and full-width punctuation in text files."""
    text = "".join(pathlib.Path(file).read_text("utf-8") for file in files)
    return {ord(c) for c in text if 0x2E80 <= ord(c) <= 0x9FFF or 0xFF00 <= ord(c) <= 0xFFEF}


def tabular_digits(font):
    """Lets the code points of the digits name the glyphs of the feature tnum, where the font has it."""
    gsub = font["GSUB"].table if "GSUB" in font else None
    swaps = {}
    for record in gsub.FeatureList.FeatureRecord if gsub else []:
        if record.FeatureTag != "tnum":
            continue
        for index in record.Feature.LookupListIndex:
            for table in gsub.LookupList.Lookup[index].SubTable:
                table = getattr(table, "ExtSubTable", table)
                swaps.update(getattr(table, "mapping", {}))
    for cmap in font["cmap"].tables:
        for code_point in map(ord, "0123456789"):
            if code_point in cmap.cmap:
                cmap.cmap[code_point] = swaps.get(cmap.cmap[code_point], cmap.cmap[code_point])
    best, metrics = font.getBestCmap(), font["hmtx"].metrics
    for digit in map(ord, "123456789"):  # a few of Inter's are a thousandth narrower
        metrics[best[digit]] = (metrics[best[ord("0")]][0], metrics[best[digit]][1])


def cut(path, code_points, tabular):
    """The font file `path` ("collection.ttc#2") with these code points only: (bytes, code points, line height / em)."""
    path, _, number = path.partition("#")
    font = TTFont(path, fontNumber=int(number or 0), recalcTimestamp=False)
    if tabular:
        tabular_digits(font)
    options = subset.Options(layout_features=[], hinting=False, notdef_outline=True, recalc_timestamp=False)
    options.drop_tables += ["FFTM"]  # when the font was made: nobody asks
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=code_points)
    subsetter.subset(font)
    line_height = (font["hhea"].ascent - font["hhea"].descent) / font["head"].unitsPerEm
    out = io.BytesIO()
    font.save(out)
    return out.getvalue(), sorted(font.getBestCmap()), line_height


def ranges_of(code_points):
    """[first, last, first, last, ..., 0] of sorted code points; those beyond 16 bits do not fit the window's text."""
    ranges = []
    for c in code_points:
        if c > 0xFFFF:
            break
        if ranges and ranges[-1] == c - 1:
            ranges[-1] = c
        else:
            ranges += [c, c]
    return [*ranges, 0]


def array(kind, name, numbers):
    lines = [",".join(map(str, numbers[i : i + 32])) for i in range(0, len(numbers), 32)]
    return f"const {kind} {name}[] = {{\n" + ",\n".join(lines) + "};\n\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("fonts", nargs="+", metavar="NAME=FONT")
    parser.add_argument("--fallback", nargs="*", default=[], metavar="NAME=FONT")
    parser.add_argument("--tabular", metavar="NAME=FONT")
    parser.add_argument("--hanzi", metavar="NAME=COLLECTION#NUMBER")
    parser.add_argument("--strings", nargs="*", default=[], metavar="FILE")
    arguments = parser.parse_args()
    wanted = [(font, CODE_POINTS) for font in arguments.fonts]
    wanted += [(font, {*CODE_POINTS, *RARE}) for font in arguments.fallback]
    if arguments.tabular:
        wanted.append((arguments.tabular, NUMBERS))
    hanzi = hanzi_of(arguments.strings)
    if arguments.hanzi and hanzi:
        wanted.append((arguments.hanzi, hanzi))

    arrays = rows = ""
    for number, (font, code_points) in enumerate(wanted):
        name, _, path = font.partition("=")
        data, kept, line_height = cut(path, code_points, tabular=font == arguments.tabular)
        arrays += array("unsigned char", f"bytes_{number}", data)
        arrays += array("unsigned short", f"ranges_{number}", ranges_of(kept))
        rows += f'    {{"{name}", bytes_{number}, {len(data)}, ranges_{number}, {line_height:.6f}f}},\n'
    arguments.output.write_text(
        f"// Generated by viz/fonts/{pathlib.Path(__file__).name}.\n"
        '#include "viz/ui/font_files.h"\n\nnamespace ui {\nnamespace {\n\n'
        f"{arrays}const FontFile files[] = {{\n{rows}}};\n\n"
        "}  // namespace\n\nstd::span<const FontFile> font_files() { return files; }\n\n}  // namespace ui\n"
    )


if __name__ == "__main__":
    main()
