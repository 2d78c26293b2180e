#!/usr/bin/env python3
"""Compares the output of 60 command lines with stored outputs: stored_outputs_test.py FLASHSCOPE [WORDS].

The command lines are in golden/outputs/commands.txt, their outputs in golden/outputs/outputs.txt. A short section of an
output (a key of JSON, a quantity of CSV, a paragraph of a table) is stored in full, a long one as a checksum: a failure names
the section. With FLASHSCOPE_UPDATE_GOLDEN set the outputs are updated. With FLASHSCOPE_OUTPUTS=FOLDER the full outputs are
written there: run it with the old and with the new program, then `diff -r` the folders.
With WORDS only command lines that contain them run.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

KEPT_WHOLE = 700  # characters: longer sections become a checksum
GOLDEN = pathlib.Path(__file__).parent / "golden/outputs"
# Parts that change with each source, and errors, which depend on the processor's exp and log.
LEFT_OUT = [(re.compile(r'"(version|sources)":"[^"]*"'), r'"\1":"..."'), (re.compile(r"^ *error\.\w+ .*$", re.M), "...")]


def run(program, line):
    """The result of a command: exit code, errors, output. None if a program that it needs was not built."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["flashscope", *shlex.split(line)], executable=program, cwd=folder, text=True,
                              encoding="utf-8", stdin=subprocess.DEVNULL, capture_output=True,
                              env={"LC_ALL": "C.UTF-8", "HOME": folder, "PATH": os.environ.get("PATH", "")})
    if done.returncode == 3 and "needs the program" in done.stderr:
        return None
    text = f"exit {done.returncode}\n{done.stderr}\n{done.stdout}"
    for pattern, instead in LEFT_OUT:
        text = pattern.sub(instead, text)
    return text


def sections(text):
    """Splits the text into sections: keys of JSON, quantities of CSV such as tile_traffic, else paragraphs."""
    csv = "\nquantity,value\n" in text
    found, quantity = [[]], ""
    for line in text.split("\n"):
        before, quantity = quantity, re.split("[.,]", line)[0] if csv else ""
        if re.match(r'  "\w+":', line) or quantity != before or (line and found[-1] and not found[-1][-1]):
            found.append([])
        found[-1].append(line)
    return ["\n".join(lines) for lines in found]


def stored_form(section):
    if len(section) <= KEPT_WHOLE:
        return section
    first = section.split("\n", 1)[0][:60]
    return f"{first} ... {hashlib.sha256(section.encode()).hexdigest()[:16]}"


def read_stored(path):
    """Maps each command line to its stored sections."""
    stored = {}
    for block in path.read_text(encoding="utf-8").split("\n$ ")[1:]:
        line, text = block.split("\n", 1)
        stored[line] = [re.sub("^  ", "", section, flags=re.M) for section in text.split("\n--\n")[:-1]]
    return stored


def written(outputs):
    text = "What the command lines of commands.txt print: tests/stored_outputs_test.py writes this file.\n"
    for line, forms in outputs.items():
        text += f"\n$ {line}\n" + "".join(re.sub("^(?=.)", "  ", form, flags=re.M) + "\n--\n" for form in forms)
    return text


def error_message(line, was, now, text):
    """Names the first section that differs, with both texts if they are stored in full."""
    place = next((i for i, (a, b) in enumerate(zip(was, now)) if a != b), min(len(was), len(now)))
    before = was[place] if place < len(was) else "(nothing)"
    whole = sections(text)[place] if place < len(now) else "(nothing)"
    if len(whole) > 1500:
        whole = whole[:1500] + "\n..."
    return f"flashscope {line}\n  printed\n{before}\n  and now prints\n{whole}\n"


def main():
    program, words = str(pathlib.Path(sys.argv[1]).resolve()), " ".join(sys.argv[2:])
    lines = [line for line in (GOLDEN / "commands.txt").read_text().splitlines() if line and line[0] != "#" and words in line]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        texts = dict(zip(lines, pool.map(lambda line: run(program, line), lines)))
    if keep := os.environ.get("FLASHSCOPE_OUTPUTS"):
        pathlib.Path(keep).mkdir(parents=True, exist_ok=True)
        for line, text in texts.items():
            (pathlib.Path(keep) / line.replace("/", "_")[:200]).write_text(text or "", encoding="utf-8")
    now = {line: [stored_form(section) for section in sections(text)] for line, text in texts.items() if text is not None}
    path = GOLDEN / "outputs.txt"
    stored = read_stored(path) if path.exists() else {}
    if os.environ.get("FLASHSCOPE_UPDATE_GOLDEN"):
        if not words:
            stored = {line: stored[line] for line in lines if line in stored}
        path.write_text(written(stored | now), encoding="utf-8")
        print(f"wrote {path}: look at the difference, then run again without FLASHSCOPE_UPDATE_GOLDEN")
        return 1
    wrong = [line for line in now if stored.get(line) != now[line]]
    for line in wrong[:5]:
        print(error_message(line, stored.get(line, []), now[line], texts[line]))
    print(f"{len(wrong)} of {len(now)} outputs differ from {path}; {len(lines) - len(now)} need a program that was not built")
    if wrong:
        print("On purpose: FLASHSCOPE_UPDATE_GOLDEN=1, and say why in the changelog.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
