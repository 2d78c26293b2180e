"""The package's type stubs equal the output of make_stubs.py, and name every export."""
import ast
import inspect
import pathlib
import sys
import unittest

import flashscope as fs

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "python"
sys.path.insert(0, str(SOURCE / "stubs"))
sys.dont_write_bytecode = True


class Stubs(unittest.TestCase):
    def test_stubs_are_up_to_date(self):
        import make_stubs
        written = (SOURCE / "flashscope" / "__init__.pyi").read_text()
        self.assertEqual(written, make_stubs.stubs(), "run python3 python/stubs/make_stubs.py")

    def test_stubs_parse_and_name_every_export(self):
        tree = ast.parse((SOURCE / "flashscope" / "__init__.pyi").read_text())
        named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        named |= {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
        self.assertLessEqual(set(fs.__all__), named)

    def test_every_export_has_a_docstring(self):
        for name in fs.__all__:
            self.assertTrue(inspect.getdoc(getattr(fs, name)), name)

    def test_help_names_the_options_of_a_scenario(self):
        for function in (fs.simulate, fs.compare, fs.sweep, fs.tune, fs.why, fs.verify):
            parameters = inspect.signature(function).parameters
            self.assertTrue({"seqlen", "kv_heads", "pass_"} <= set(parameters), function)
            self.assertIn("kv_heads: key/value heads, a divisor of heads [heads]", function.__doc__)


if __name__ == "__main__":
    unittest.main()
