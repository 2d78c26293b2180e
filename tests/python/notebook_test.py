"""Runs docs/flashscope.ipynb and compares its outputs with the stored ones.

FLASHSCOPE_UPDATE_DOCS=1 stores the new outputs.
"""
import os
import pathlib
import sys
import unittest

try:
    import nbclient
    import nbformat
    import numpy  # noqa: F401, the notebook uses it
except ImportError as missing:
    print(f"notebooks are not run: {missing}")
    sys.exit(77)

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "docs" / "flashscope.ipynb"
LONGEST_OUTPUT, LONGEST = 30_000, 150_000  # bytes


def is_kept(output):
    """False for progress bars."""
    return output.get("name") != "stderr" and output.output_type != "display_data"


def joined(outputs):
    """Returns the outputs with consecutive pieces of one stream as one: a slow machine delivers a print in several."""
    whole = []
    for output in filter(is_kept, outputs):
        if whole and output.output_type == "stream" and whole[-1].get("name") == output.name:
            whole[-1].text += output.text
        else:
            whole.append(output)
    return whole


def executed():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times of this run
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    return notebook


def shown(notebook):
    """Returns the text of each code cell's outputs."""
    return [[output.get("text") or output["data"]["text/plain"] for output in cell.outputs]
            for cell in notebook.cells if cell.cell_type == "code"]


class Notebook(unittest.TestCase):
    def test_the_notebook_runs_and_shows_what_is_stored(self):
        stored, now = nbformat.read(NOTEBOOK, as_version=4), executed()
        if os.environ.get("FLASHSCOPE_UPDATE_DOCS"):
            nbformat.write(now, NOTEBOOK)
        self.assertEqual(shown(stored), shown(now))

    def test_outputs_are_small_and_have_no_script(self):
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        self.assertLess(NOTEBOOK.stat().st_size, LONGEST)
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                html = "".join(output.get("data", {}).get("text/html", ""))
                self.assertLess(len(html.encode()), LONGEST_OUTPUT)
                self.assertNotIn("<script", html)


if __name__ == "__main__":
    unittest.main()
