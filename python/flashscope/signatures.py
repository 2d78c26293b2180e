"""Signatures and docstrings of functions that take a scenario, from the table of options."""
import inspect

from . import _core
from .arguments import keyword

TYPES = {"flag": "bool", "whole number": "int | str", "number": "float | str", "name": "str"}
LISTS = {"seqlens": "list[int] | list[tuple[int, ...]] | str", "cu_seqlens": "list[int] | str",
         "documents": "list[int] | str", "window": "int | tuple[int, int] | str"}


def scenario_options():
    """Returns the rows of the table of options, each with its keyword and the type that it takes."""
    return [{**row, "keyword": keyword(row["name"]), "type": LISTS.get(row["name"], TYPES[row["kind"]])}
            for row in _core.options()["options"]]


def takes_scenario(function):
    """Gives a function with **options the options of a scenario as keywords, for help() and completion."""
    rows = scenario_options()
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    taken = {one.name for one in own}
    more = [inspect.Parameter(row["keyword"], inspect.Parameter.KEYWORD_ONLY, default=None) for row in rows
            if row["keyword"] not in taken]
    function.__signature__ = signature.replace(parameters=own + more)
    lines = [f"    {row['keyword']}: {row['help']}" for row in rows if row["keyword"] not in taken]
    function.__doc__ = "\n".join([inspect.cleandoc(function.__doc__), "", "Options of the scenario:", *lines])
    return function
