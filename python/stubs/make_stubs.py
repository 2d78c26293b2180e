#!/usr/bin/env python3
"""Writes flashscope/__init__.pyi and cta.pyi, the types of the package with the options of a scenario and the verbs of
a body, and docs/verbs.md. All are from the tables that the package itself reads.

PYTHONPATH=build/release/python python3 python/stubs/make_stubs.py; a test holds the files up to date.
"""
import inspect
import pathlib
import textwrap

import flashscope
from flashscope import verb_help
from flashscope.signatures import scenario_options
from flashscope.verbs import SECTIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]

HEAD = '''"""Types of flashscope, written by python/stubs/make_stubs.py."""
from typing import Any, TypedDict
from typing_extensions import Unpack

__version__: str

class Scenario(TypedDict, total=False):
    """The options of a scenario, as `flashscope options` lists them."""
'''


def option_lines():
    for row in scenario_options():
        yield f"    {row['keyword']}: {row['type']} | None"
        yield f'    """{row["help"]}"""'


def takes_options(function):
    return inspect.isfunction(function) and hasattr(function, "__signature__")


def imports(names):
    """Yields imports of names that the package re-exports unchanged."""
    for name in names:
        module = getattr(flashscope, name).__module__
        yield f"from .{module.removeprefix('flashscope.')} import {name} as {name}" if module != "flashscope" else \
            f"from ._core import {name} as {name}"


def stub(name):
    """Returns the signature of a function that takes scenario options."""
    function = getattr(flashscope, name)
    options = {row["keyword"] for row in scenario_options()}
    own = [f"{one.name}: Any{'' if one.default is one.empty else f' = {one.default!r}'}"
           for one in function.__signature__.parameters.values() if one.name not in options]
    summary = inspect.getdoc(function).splitlines()[0]
    result = function.__annotations__["return"]
    return f'def {name}({", ".join([*own, "**options: Unpack[Scenario]"])}) -> {result}:\n    """{summary}"""\n'


def stubs():
    names = sorted([*flashscope.__all__, "abs"])
    functions = [name for name in names if takes_options(getattr(flashscope, name))]
    others = [name for name in names if name not in functions]
    head, body = HEAD.split("\n__version__")
    lines = [head, *imports(others), "\n__version__" + body.rstrip(), *option_lines(), ""]
    return "\n".join(lines) + "\n" + "\n".join(map(stub, functions))


CTA_HEAD = '''"""Types of the verbs of a body, written by python/stubs/make_stubs.py."""
from typing import Any, Iterable, overload

from .operands import Block, HbmBlock, HbmTensor, Symbol, Value

def describe(arg: Any, kind: str = "") -> str: ...

class Cta:
    """{}"""
    def __init__(self, rec: Any) -> None: ...
'''
TYPES = {"smem": "Value", "registers": "Value", "tile": "Value", "vec": "Value", "same": "Value", "block": "Block",
         "hbm": "HbmBlock", "tensor": "HbmTensor", "name": "str", "number": "float | Symbol", "extent": "Symbol",
         "queries": "Block", "keys": "Block", "bool": "bool"}
ABSENT = ("smem", "registers", "tile")  # kinds of which None stands for a tile that is not there


def cta_stubs():
    """Returns the stub of cta.py: a method for each form of each verb."""
    lines = [CTA_HEAD.format(textwrap.indent(inspect.getdoc(flashscope.Cta), "    ").lstrip())]
    for section, verbs in SECTIONS.items():
        for forms in verbs.values():
            forms = forms + defaulted(forms)
            for form in forms:
                lines.append(method(form, section == "Loops", len(forms) > 1))
    return "".join(lines)


def defaulted(forms):
    """Returns the form of zeros without the last operand, which is the tensor of its name."""
    if forms[0].verb != "zeros":
        return []
    short = type(forms[0])("zeros", ["name:name", "rows:block"], "registers")
    short.what, short.parts = forms[0].what, forms[0].parts
    return [short]


def method(form, loops, overloaded):
    operands = "".join(f", {name}: {TYPES[kind]}{' | None' if kind in ABSENT else ''}"
                       for name, kind in zip(form.names, form.kinds))
    returned = TYPES.get(form.result) or ("Value" if verb_help.changed_by(form) else "None")
    result = "Iterable[Block]" if loops else returned
    doc = textwrap.indent(verb_help.text_of([form]), "        ").lstrip()
    return f"{'    @overload' + chr(10) if overloaded else ''}    def {form.verb}(self{operands}, /) -> {result}:\n" \
           f'        """{doc}\n        """\n'


def written():
    """Returns the text of each file."""
    return {ROOT / "python/flashscope/__init__.pyi": stubs(), ROOT / "python/flashscope/cta.pyi": cta_stubs(),
            ROOT / "docs/verbs.md": verb_help.page()}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
