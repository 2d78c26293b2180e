"""Python source of bodies: a file or a notebook cell, read through linecache."""

import linecache
import os
import sys

from ._core import Error

LONGEST = 1 << 20  # bytes


class Source:
    """Text of one file. `label` names it in errors and listings, without its folder."""

    def __init__(self, filename):
        linecache.checkcache(filename)
        lines = linecache.getlines(filename)
        self.filename = filename
        self.label = _label(filename)
        self.text = "".join(line.rstrip("\r\n") + "\n" for line in lines)
        self.first = 0  # lines of preceding files, in a program of several
        if not lines:
            raise Error(f"{self.label}: its text is not kept anywhere: write the body in a file or in a notebook cell")
        if len(self.text) > LONGEST:
            raise Error(f"{self.label} has {len(self.text)} bytes: a program's source has at most {LONGEST}")


class Place:
    """Where a function is written, for errors that name the line of what went wrong."""

    def __init__(self, function):
        code = getattr(function, "__code__", None)
        self.filename, self.first = (code.co_filename, code.co_firstlineno) if code else (None, None)

    def error(self, text, line=None):
        """Returns an Error with a line: the innermost of the function's file that runs now, unless it is given."""
        frame = sys._getframe(1)
        while line is None and frame is not None:
            line = frame.f_lineno if frame.f_code.co_filename == self.filename else None
            frame = frame.f_back
        return Error(f"{_label(self.filename)}:{line}: {text}" if self.filename else text)

    def line_of(self, traceback):
        """Returns the innermost line of the function's file in a traceback; None if there is none."""
        line = None
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self.filename:
                line = traceback.tb_lineno
            traceback = traceback.tb_next
        return line


def _label(filename):
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    named = getattr(getattr(shell, "compile", None), "format_code_name", None)
    cell = named(filename) if named is not None else None
    return cell[1] if cell else os.path.basename(filename).strip("<>") or "source"


def joined(sources):
    """Joins the texts of several files, and sets their first lines."""
    first = 0
    for source in sources:
        source.first = first
        first += source.text.count("\n")
    return "".join(source.text for source in sources)
