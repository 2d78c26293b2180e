#!/usr/bin/env python3
"""Draws each picture of docs/ again: pictures_test.py SOURCE PROGRAM FONT...

Under every committed docs/NAME.png a page has the command that made it, "./flashscope screenshot docs/NAME.png ...".
The pixels must be equal where the fonts (FONT...) are those of Debian 12; elsewhere the test is skipped (77), after the
commands have run. With UPDATE=1 the pictures are drawn anew."""

import hashlib
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import zlib

FONTS_OF_DEBIAN_12 = "43b4b351aab0890bada2505c5d5130e0a06cc66892f2d8d2aa2d0e57a7cc5283"  # of their files, one after the other


def pixels(png):
    """Width, height and the bytes of all rows, without their filters. Eight bits a channel, RGB."""
    at, data, head = 8, b"", None
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        chunk = png[at + 8 : at + 8 + size]
        head = chunk if kind == b"IHDR" else head
        data += chunk if kind == b"IDAT" else b""
        at += 12 + size
    width, height, depth, color = struct.unpack(">IIBB", head[:10])
    assert (depth, color) == (8, 2), "not RGB of eight bits"
    stride, raw, rows = 3 * width, zlib.decompress(data), [bytes(3 * width)]
    for y in range(height):
        kind, row, above = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)]), rows[-1]
        for x in range(stride if kind else 0):
            left, up, corner = (row[x - 3], above[x], above[x - 3]) if x >= 3 else (0, above[x], 0)
            row[x] = (row[x] + predicted(kind, left, up, corner)) & 255
        rows.append(bytes(row))
    return width, height, b"".join(rows[1:])


def predicted(kind, left, up, corner):
    if kind == 4:
        return min((left, up, corner), key=lambda value: abs(left + up - corner - value))
    return (0, left, up, (left + up) // 2)[kind]


def commands(source):
    """Name of a picture -> the words of its command."""
    found = {}
    for page in [source / "README.md", *sorted((source / "docs").glob("*.md"))]:
        for line in re.findall(r"^\./flashscope (screenshot docs/.*)$", page.read_text(), re.M):
            words = shlex.split(line, comments=True)
            found[words[1]] = words
    return found


def main():
    source, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    fonts = hashlib.sha256(b"".join(pathlib.Path(font).read_bytes() for font in sys.argv[3:])).hexdigest()
    known, failed = commands(source), False
    for picture in sorted((source / "docs").glob("*.png")):
        name = f"docs/{picture.name}"
        if name not in known:
            print(f"{name}: no page says the command that draws it")
            failed = True
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/docs")
            subprocess.run([program, *known[name]], cwd=folder, check=True)
            drawn = pathlib.Path(folder, name).read_bytes()
        if os.environ.get("UPDATE") == "1":
            picture.write_bytes(drawn)
        elif fonts == FONTS_OF_DEBIAN_12 and pixels(drawn) != pixels(picture.read_bytes()):
            print(f"{name}: is not what its command draws: {shlex.join(known[name])}")
            failed = True
    if failed:
        return 1
    if fonts != FONTS_OF_DEBIAN_12:
        print(f"skipped: these fonts ({fonts}) are not those of Debian 12")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
