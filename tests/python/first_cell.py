"""Runs the first cell of docs/flashscope.ipynb without Jupyter: it must show a table and a figure."""
import json
import pathlib

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "docs" / "flashscope.ipynb"

cell = next(cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code")
*statements, shown = "".join(cell["source"]).splitlines()
names = {}
exec("\n".join(statements), names)
html = eval(shown, names)._repr_html_()
if "<table" not in html or "<svg" not in html:
    raise SystemExit(f"no table or no figure: {html}")
