"""FlashScope: attention algorithms, tile by tile, on a model of a GPU's memory hierarchy.

>>> import flashscope as fs
>>> run = fs.simulate(algorithm="flash2", batch=4, heads=32, seqlen=2048)
>>> run.tile_traffic.total_bytes
1141899264
>>> run.why("tile_traffic.by_tensor.K.read_bytes")

Options are those of the command line, with _ for - and pass_ for pass. Errors are flashscope.Error, with its text.
"""
from ._core import Error, version as __version__
from .compare import Comparison, compare
from .cta import Cta
from .exercise import Exercise, exercise
from .explorer import Explorer, explorer
from .lists import algorithms, devices, options
from .program import Program, kernel, program
from .run import Derivation, Run, simulate, why
from .score import abs, ceil, exp, exp2, floor, log, log2, maximum, minimum, sqrt, tanh
from .sweep import Sweep, sweep
from .tune import Tuning, Validation, tune, validate
from .verdict import Verdict, check
from .verify import Verification, verify

__all__ = ["Comparison", "Cta", "Derivation", "Error", "Exercise", "Explorer", "Program", "Run", "Sweep", "Tuning",
           "Validation", "Verdict", "Verification", "algorithms", "ceil", "check", "compare", "devices", "exercise", "exp",
           "exp2", "explorer", "floor", "kernel", "log", "log2", "maximum", "minimum", "options", "program", "simulate",
           "sqrt", "sweep", "tanh", "tune", "validate", "verify", "why"]  # not abs: import * would hide Python's
