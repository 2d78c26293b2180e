#!/usr/bin/env python3
"""Names new comments and test names that need rewording: english_hints.py BASE. A hint: it never fails.

Reads the lines of C++ added since the commit BASE. A comment begins with a noun or a verb, not with a word that needs
the line above it; comments and names use the terms of the field, not the words below.
"""
import re
import subprocess
import sys

FIRST = re.compile(r"^\s*///? (Of|What|The same|Whether|How|Those|None|It|Likewise)\b|///< (of|what|how|whether)\b")
WORDS = re.compile(r"\b(nobody|somebody|whoever|asked for|anew|twins?|in words|told apart|looked at|goes on|comes to|"
                   r"none for|for none|(?<!there )(?:is|are) no(?! longer))\b", re.I)
NAME = re.compile(r"TEST_CASE(?:_METHOD)?\(.*|//.*")
MOST = 20  # hints shown


def added(base):
    """Yields (path, line number, line, the added line before it) for each line added since `base`."""
    diff = subprocess.run(["git", "diff", "-U0", base, "--", "*.h", "*.cpp", "*.cu"], check=True, encoding="utf-8",
                          errors="replace", stdout=subprocess.PIPE).stdout
    for line in diff.splitlines():
        if line.startswith("+++ "):  # "+++ /dev/null" if the file is gone: no line of it is added
            path = line[6:]
        elif hunk := re.match(r"@@ -\S+ \+(\d+)", line):
            number, before = int(hunk[1]), ""
        elif line.startswith("+"):
            yield path, number, line[1:], before
            number, before = number + 1, line[1:]


found = []
for path, number, line, before in added(sys.argv[1]):
    first = None if re.match(r"\s*//", before) else FIRST.search(line)
    name = NAME.search(line)
    if first or (name and WORDS.search(name[0])):
        found.append(f"hint: {path}:{number}: {(first or WORDS.search(name[0]))[0].strip()!r} in {line.strip()}")
if len(found) > MOST:
    found[MOST:] = [f"hint: ... {len(found)} in all"]
print("".join(f"{line}\n" for line in found), end="")
