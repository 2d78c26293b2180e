"""The package's type stubs equal the output of make_stubs.py, and name every export."""
import ast
import inspect
import pathlib
import sys
import unittest

import flashscope as fs
from flashscope.verbs import SECTIONS

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "python"
sys.path.insert(0, str(SOURCE / "stubs"))
sys.dont_write_bytecode = True


class Stubs(unittest.TestCase):
    def test_stubs_are_up_to_date(self):
        import make_stubs
        written = make_stubs.written()
        self.assertEqual([path.name for path in written], ["__init__.pyi", "cta.pyi", "verbs.md"])
        for path, text in written.items():
            self.assertEqual(path.read_text(), text, "run python3 python/stubs/make_stubs.py")

    def test_stubs_parse_and_name_every_export(self):
        tree = ast.parse((SOURCE / "flashscope" / "__init__.pyi").read_text())
        named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        named |= {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
        self.assertLessEqual(set(fs.__all__), named)

    def test_stubs_of_the_cta_have_every_form_of_every_verb_with_its_help(self):
        tree = ast.parse((SOURCE / "flashscope" / "cta.pyi").read_text())
        cta = next(node for node in tree.body if isinstance(node, ast.ClassDef))
        written = {}
        for node in cta.body:
            if isinstance(node, ast.FunctionDef) and node.name != "__init__":
                written.setdefault(node.name, []).append(node)
        self.assertEqual(set(written), {name for name in vars(fs.Cta) if not name.startswith("_")})
        for verb, forms in [(verb, forms) for verbs in SECTIONS.values() for verb, forms in verbs.items()]:
            for form, node in zip(forms, written[verb]):
                self.assertEqual([operand.arg for operand in node.args.posonlyargs], ["self", *form.names])
                self.assertTrue(ast.get_docstring(node).startswith(form.what))
                self.assertEqual(bool(node.decorator_list), len(written[verb]) > 1)

    def test_every_export_has_a_docstring(self):
        for name in fs.__all__:
            self.assertTrue(inspect.getdoc(getattr(fs, name)), name)

    def test_help_names_the_options_of_a_scenario(self):
        for function in (fs.simulate, fs.compare, fs.sweep, fs.tune, fs.why, fs.verify):
            parameters = inspect.signature(function).parameters
            self.assertTrue({"seqlen", "kv_heads", "pass_"} <= set(parameters), function)
            self.assertIn("kv_heads: key/value heads, a divisor of heads [heads; of mla-decode 1]", function.__doc__)


if __name__ == "__main__":
    unittest.main()
