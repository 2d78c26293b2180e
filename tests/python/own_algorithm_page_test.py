"""Examples of docs/your-own-algorithm.md: each cell runs and prints the output that the page shows.

FLASHSCOPE_UPDATE_DOCS=1 writes the new outputs into the page.
"""
import contextlib
import functools
import inspect
import io
import linecache
import os
import pathlib
import re
import sys
import unittest

try:
    import numpy
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "your-own-algorithm.md"
CELL = re.compile(r"```python\n(.*?)```\n(```text\n(.*?)```\n)?", re.S)


EXAMPLES = {"capped": "scored", "sloped": "scored", "prefix": "scored", "wide": "scored", "sunk": "with_sink"}


@functools.cache
def executed():
    """Runs the cells of the page. Returns its text, the text with the outputs of now, and the names that it defines."""
    names, file = {}, PAGE.name

    def run(cell):
        code, name = cell.group(1), f"<example in line {text.count(chr(10), 0, cell.start()) + 1} of {file}>"
        linecache.cache[name] = len(code), None, code.splitlines(True), name
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, name, "exec"), names)
        shown = f"```text\n{printed.getvalue()}```\n" if printed.getvalue() else ""
        return f"```python\n{code}```\n{shown}"

    text = PAGE.read_text(encoding="utf-8")
    return text, CELL.sub(run, text), names


def bytes_of(run):
    return {tensor: part["read_bytes"] + part["write_bytes"]
            for tensor, part in run.dict()["tile_traffic"]["by_tensor"].items()}


class Page(unittest.TestCase):
    def test_examples_print_what_the_page_shows(self):
        text, now, _ = executed()
        if os.environ.get("FLASHSCOPE_UPDATE_DOCS"):
            PAGE.write_text(now, encoding="utf-8")
        self.assertEqual(text, now)

    def test_programs_with_score_mod_mask_mod_widths_and_sinks_have_at_most_40_lines(self):
        text, _, names = executed()
        cells = [cell[0] for cell in CELL.findall(text)]
        for name, kernel in EXAMPLES.items():
            cell = next(cell for cell in cells if f"{name} = fs.program(" in cell)
            lines = [line for line in cell.splitlines() if line.strip()]
            if f"def {kernel}(" not in cell:
                lines += inspect.getsource(names[kernel].body).splitlines()
            self.assertLessEqual(len(lines), 40, name)

    def test_bytes_of_these_programs_are_those_counted_by_hand(self):
        names = executed()[2]
        tile, blocks = 64 * 64 * 2, 16  # bytes of a tile of 64 x 64 in fp16, tiles in 1,024 rows
        dense = {"Q": blocks * tile, "K": blocks * blocks * tile, "V": blocks * blocks * tile, "O": blocks * tile}
        self.assertEqual(bytes_of(names["capped"].simulate()), dense)
        self.assertEqual(bytes_of(names["sloped"].simulate()), {**dense, "slopes": 4 * blocks})
        self.assertEqual(bytes_of(names["sunk"].simulate()), {**dense, "L": 4 * 1024})
        seen = (4 * 4 + sum(range(5, 17))) * tile
        self.assertEqual(bytes_of(names["prefix"].simulate()), {**dense, "K": seen, "V": seen})
        q, v = 128 * 4096 * 192 * 2, 128 * 4096 * 128 * 2
        self.assertEqual(bytes_of(names["wide"].simulate(heads=128, seqlen=4096, head_dim=192, head_dim_v=128)),
                         {"Q": q, "K": 32 * q, "V": 32 * v, "O": v})

    def test_a_sink_of_1_has_its_worked_values(self):
        run = executed()[2]["sunk"].simulate(inputs="worked", seqlen=4, head_dim=2, dtype="fp32", br=2, bc=2, scale=1,
                                             numerics=True)
        numpy.testing.assert_allclose(run.outputs["O"].reshape(4, 2), [
            [0.939555, 1.118019], [0.449505, 0.835693], [0.985385, 1.675337], [0.594724, 1.236006]], atol=2e-6)
        numpy.testing.assert_allclose(run.outputs["L"].reshape(4), [2.806018, 2.806018, 5.225720, 4.903187], atol=2e-6)


if __name__ == "__main__":
    unittest.main()
