#!/usr/bin/env python3
"""Writes flashscope/__init__.pyi: the types of the package, with the options of a scenario from their table.

PYTHONPATH=build/release/python python3 python/stubs/make_stubs.py [FILE]; a test holds the file up to date.
"""
import inspect
import pathlib
import sys

import flashscope
from flashscope.signatures import scenario_options

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
    names = sorted(flashscope.__all__)
    functions = [name for name in names if takes_options(getattr(flashscope, name))]
    others = [name for name in names if name not in functions]
    head, body = HEAD.split("\n__version__")
    lines = [head, *imports(others), "\n__version__" + body.rstrip(), *option_lines(), ""]
    return "\n".join(lines) + "\n" + "\n".join(map(stub, functions))


if __name__ == "__main__":
    file = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1] / "flashscope" / "__init__.pyi"
    pathlib.Path(file).write_text(stubs())
