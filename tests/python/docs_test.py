"""Runs the Python blocks in the pages of docs/ as doctests."""
import doctest
import pathlib
import re
import sys
import unittest

try:
    import numpy  # noqa: F401, the pages use it
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(page):
    """Returns the blocks of Python in a page that show output."""
    return [block for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S) if ">>> " in block]


class Pages(unittest.TestCase):
    def test_blocks_show_what_is_printed(self):
        held = 0
        for page in sorted((ROOT / "docs").glob("*.md")):
            if not blocks(page):
                continue
            test = doctest.DocTestParser().get_doctest("".join(blocks(page)), {}, page.name, str(page), 0)
            words = []
            result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=words.append)
            self.assertEqual(result.failed, 0, "".join(words))
            held += result.attempted
        self.assertGreater(held, 10)


if __name__ == "__main__":
    unittest.main()
