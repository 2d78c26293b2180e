#!/usr/bin/env python3
"""Checks the diff of CONTRIBUTING.md against the tree: contributing_test.py ROOT. Its context and removed lines exist."""
import pathlib
import re
import sys


def complaints(root):
    page = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```diff\n(.*?)^```$", page, re.M | re.S):
        lines = []
        for line in block.splitlines():
            if line.startswith("+++ "):
                lines = (root / line[4:]).read_text(encoding="utf-8").splitlines()
            elif line[:1] in "- " and line[1:] not in lines:
                yield f'CONTRIBUTING.md: no file of its diff has the line "{line[1:]}"'


if __name__ == "__main__":
    found = list(complaints(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    sys.exit(1 if found else 0)
