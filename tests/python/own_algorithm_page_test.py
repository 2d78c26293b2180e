"""Examples of docs/your-own-algorithm.md: each cell runs and prints the output that the page shows.

FLASHSCOPE_UPDATE_DOCS=1 writes the new outputs into the page.
"""
import contextlib
import io
import linecache
import os
import pathlib
import re
import sys
import unittest

try:
    import numpy  # noqa: F401, checks use it
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "your-own-algorithm.md"
CELL = re.compile(r"```python\n(.*?)```\n(```text\n(.*?)```\n)?", re.S)


class Page(unittest.TestCase):
    def test_examples_print_what_the_page_shows(self):
        names, file = {}, PAGE.name

        def run(cell):
            code, name = cell.group(1), f"<example in line {text.count(chr(10), 0, cell.start()) + 1} of {file}>"
            linecache.cache[name] = len(code), None, code.splitlines(True), name
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(code, name, "exec"), names)
            shown = f"```text\n{printed.getvalue()}```\n" if printed.getvalue() else ""
            return f"```python\n{code}```\n{shown}"

        text = PAGE.read_text(encoding="utf-8")
        now = CELL.sub(run, text)
        if os.environ.get("FLASHSCOPE_UPDATE_DOCS"):
            PAGE.write_text(now, encoding="utf-8")
        self.assertEqual(text, now)


if __name__ == "__main__":
    unittest.main()
