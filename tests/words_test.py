#!/usr/bin/env python3
"""Holds every sentence that the explorer says to its translations: words_test.py ROOT.

The terminal's own table, viz/terminal/lesson/phrases.cpp, says what both say in the same words.
A sentence is a string literal that is the first argument of say(...), or stands in a table after the comment /*say*/.
Each must have a line in viz/words/zh/*.txt with as many places {}, and no line there may be without a use.
"""
import pathlib
import re
import sys

LITERAL = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
SPEAKING = ["sim/catalogue", "sim/programs", "viz"]  # words of options and short names of algorithms stand in their tables
PHRASES = "viz/terminal/lesson/phrases.cpp"
SAID = re.compile(r"(?:\bsay\(\s*|/\*say\*/\s*)" + LITERAL)


def sentences(root):
    """Maps each sentence to the file that says it."""
    said = {}
    for path in sorted(p for where in SPEAKING for p in (root / where).rglob("*") if p.suffix in (".cpp", ".h")):
        for match in SAID.finditer(path.read_text(encoding="utf-8")):
            pieces = re.findall(r'"((?:[^"\\]|\\.)*)"', match.group(1))
            said["".join(pieces).replace('\\"', '"')] = path.relative_to(root)
    return said


def translations(root):
    """Maps each English line of the tables to (translation, file)."""
    found = {}
    for path in sorted((root / "viz/words/zh").glob("*.txt")):
        english = None
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                found[english] = (line[2:], path.relative_to(root))
            elif line and not line.startswith("#"):
                english = line
    return found


def complaints(root):
    said, translated = sentences(root), translations(root)
    for english, path in said.items():
        if english not in translated:
            yield f'{path}: "{english}" has no translation in viz/words/zh'
        elif english.count("{") != translated[english][0].count("{"):
            yield f'{translated[english][1]}: "{english}" has other places {{}} than its translation'
    for english, (_, path) in translated.items():
        if english not in said:
            yield f'{path}: nothing says "{english}"'


def differing_phrases(root):
    """What the terminal says in other Chinese words than the explorer, of sentences that both say."""
    translated = translations(root)
    rows = re.findall(r'\{"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\}', (root / PHRASES).read_text(encoding="utf-8"))
    if not rows:
        yield f"{PHRASES}: no rows are found"
    for english, chinese in rows:
        if english in translated and translated[english][0] != chinese:
            yield f'{PHRASES}: "{english}" is "{chinese}", in {translated[english][1]} "{translated[english][0]}"'


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    lines = list(complaints(root)) + list(differing_phrases(root))
    print("\n".join(lines))
    sys.exit(1 if lines else 0)
