#!/usr/bin/env python3
"""Checks that the equations of each program are aligned: equations_test.py ROOT [--code].

In each function that takes a Cta the trailing comments begin in one column, two blanks after the longest line of code.
clang-format aligns only adjacent lines, so it is off there: with --code the code without its equations is checked by it
instead. UPDATE=1 aligns the equations.
"""
import os
import pathlib
import re
import subprocess
import sys

PROGRAMS = ["sim/programs/*/*.cpp", "tests/entry/two_pass.cpp"]
BODY = re.compile(r"^\w[^\n]*\bCta& [^\n]*\{\n(.*?)^\}$", re.M | re.S)
EQUATION = re.compile(r"^( *[^ /\n][^\n]*?) *  (//[^\n]*)$", re.M)  # after code; a line with only a comment is unchanged
LONGEST = 120


def aligned(text):
    """The text of a program with the equations of each body in one column."""
    def align(body):
        width = max((len(line[1]) for line in EQUATION.finditer(body[0])), default=0)
        return EQUATION.sub(lambda line: f"{line[1]:{width}}  {line[2]}", body[0])
    return BODY.sub(align, text)


def code_of(text):
    """The text without its equations, and with clang-format on. Each of its switches leaves an empty line."""
    text = re.sub(r"^// clang-format o(ff|n)$", "", text, flags=re.M)
    return BODY.sub(lambda body: EQUATION.sub(r"\1", body[0]), text)


def formatted(text, path):
    return subprocess.run(["clang-format", f"--assume-filename={path}"], input=text, check=True, text=True,
                          encoding="utf-8", stdout=subprocess.PIPE).stdout


def first_difference(was, wanted):
    return next(n for n, (a, b) in enumerate(zip(was + "\n", wanted + "\n")) if a != b)


def complaints(root, of_code):
    paths = sorted(path for pattern in PROGRAMS for path in root.glob(pattern))
    if not any(BODY.search(path.read_text(encoding="utf-8")) for path in paths):
        yield f"no program among {PROGRAMS}"
    for path in paths:
        text, name = path.read_text(encoding="utf-8"), path.relative_to(root)
        if "UPDATE" in os.environ and not of_code:
            path.write_text(aligned(text), encoding="utf-8")
            text = aligned(text)
        was, wanted = (code_of(text), formatted(code_of(text), path)) if of_code else (text, aligned(text))
        if was != wanted:
            line = was.count("\n", 0, first_difference(was, wanted)) + 1
            yield f"{name}:{line}: " + ("clang-format wants other code" if of_code
                                        else "the equation is in another column; UPDATE=1 moves it")
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > LONGEST:
                yield f"{name}:{number}: longer than {LONGEST} characters"


if __name__ == "__main__":
    lines = list(complaints(pathlib.Path(sys.argv[1]), "--code" in sys.argv[2:]))
    print("\n".join(lines))
    sys.exit(1 if lines else 0)
