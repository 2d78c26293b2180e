#!/usr/bin/env python3
"""Redraws each picture and animation of docs/ and compares: pictures_test.py SOURCE PROGRAM FONT...

For every committed docs/NAME.png or .gif a page has the command that made it, "./flashscope screenshot docs/NAME.png ...".
The pixels must be equal if the fonts (FONT...) are those of Debian 12; the first and last frame of an animation must be as
close as its 256 colours allow. With other fonts, or without ffmpeg, the test is skipped (77) after the commands have run.
With UPDATE=1 the files are redrawn."""

import hashlib
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

FONTS_OF_DEBIAN_12 = "43b4b351aab0890bada2505c5d5130e0a06cc66892f2d8d2aa2d0e57a7cc5283"  # hash of their files, concatenated

MOST_BYTES, MOST_WIDTH = 3_000_000, 720  # of an animation
FARTHEST = 32  # of 255, between a channel of an animation and of the picture; the palette of race.gif stays within 7


def pixels(png):
    """Width, height and the unfiltered bytes of all rows. Eight bits per channel, RGB."""
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
    """Maps the name of a picture to the words of its command."""
    found = {}
    for page in [source / "README.md", *sorted((source / "docs").glob("*.md"))]:
        for line in re.findall(r"^\./flashscope (screenshot docs/.*)$", page.read_text(), re.M):
            words = shlex.split(line, comments=True)
            found[words[1]] = words
    return found


def draw(program, words, folder):
    """Runs the command of a picture in the folder."""
    os.makedirs(f"{folder}/docs", exist_ok=True)
    subprocess.run([program, *words], cwd=folder, check=True)


def frames_of(video, numbers, folder):
    """Extracts the frames of these numbers into the folder and returns their files."""
    chosen = "+".join(f"eq(n,{number})" for number in numbers)
    subprocess.run(["ffmpeg", "-loglevel", "error", "-nostdin", "-i", video, "-vf", f"select='{chosen}'", "-vsync", "0",
                    "-pix_fmt", "rgb24", f"{folder}/video-%d.png"], check=True)
    return [pathlib.Path(f"{folder}/video-{at + 1}.png") for at in range(len(numbers))]


def trouble_of_frame(drawn, stored):
    """The difference between a stored frame and the drawn picture, as text; empty if the palette explains it."""
    (width, height, mine), (*size, theirs) = pixels(drawn.read_bytes()), pixels(stored.read_bytes())
    if size != [width, height]:
        return f"has {size[0]} x {size[1]} pixels, drawn are {width} x {height}"
    far = sum(abs(a - b) > FARTHEST for a, b in zip(mine, theirs))
    return f"has {far:,} channels that differ by more than {FARTHEST} of 255" if far else ""


def trouble_of_video(video, program, words, folder):
    """The error of an animation as text; empty if there is none, None without ffmpeg."""
    draw(program, [words[0], str(pathlib.Path(words[1]).with_suffix(".png")), *words[2:]], folder)
    drawn = sorted(pathlib.Path(folder, "docs").glob("*.png"))
    if not shutil.which("ffmpeg"):
        return None
    if video.stat().st_size > MOST_BYTES or pixels(drawn[0].read_bytes())[0] > MOST_WIDTH:
        return f"is larger than {MOST_BYTES:,} bytes or wider than {MOST_WIDTH} pixels"
    first_and_last = [0, len(drawn) - 1]
    for number, stored in zip(first_and_last, frames_of(video, first_and_last, folder)):
        if not stored.exists():
            return f"has no frame {number + 1}"
        if trouble := trouble_of_frame(drawn[number], stored):
            return f"frame {number + 1} {trouble}"
    return ""


def trouble_of_picture(picture, program, words, folder):
    draw(program, words, folder)
    drawn = pathlib.Path(folder, words[1])
    return "" if pixels(drawn.read_bytes()) == pixels(picture.read_bytes()) else "is not what its command draws"


def main():
    source, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    fonts = hashlib.sha256(b"".join(pathlib.Path(font).read_bytes() for font in sys.argv[3:])).hexdigest()
    known, failed, skipped = commands(source), False, []
    if fonts != FONTS_OF_DEBIAN_12:
        skipped.append(f"these fonts ({fonts}) are not those of Debian 12")
    for picture in sorted([*(source / "docs").glob("*.png"), *(source / "docs").glob("*.gif")]):
        name = f"docs/{picture.name}"
        if name not in known:
            print(f"{name}: no page has the command that draws it")
            failed = True
            continue
        if os.environ.get("UPDATE") == "1":
            draw(program, known[name], source)
            continue
        with tempfile.TemporaryDirectory() as folder:
            check = trouble_of_video if picture.suffix == ".gif" else trouble_of_picture
            trouble = check(picture, program, known[name], folder)
        if trouble is None:
            skipped.append(f"{name} needs ffmpeg")
        elif trouble and fonts == FONTS_OF_DEBIAN_12:
            print(f"{name}: {trouble}: {shlex.join(known[name])}")
            failed = True
    if failed:
        return 1
    for reason in skipped:
        print(f"skipped: {reason}")
    return 77 if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
