"""Names that currently hold vectors: variables of the body and of functions in it, also in lists and objects."""

import types

from .operands import Operand, Value

DEEPEST = 3  # nesting of lists
LONGEST = 64  # longer lists are data


def vectors_held(rec, frame):
    """Returns vectors of a recording by name, in the frames from `frame` out to the body."""
    frames = []
    while frame is not None and frame is not rec.top:
        frames.append(frame)
        frame = frame.f_back
    held = {}
    for depth, frame in enumerate(reversed(frames)):
        for name, thing in list(frame.f_locals.items()):
            _add(held, rec, name if depth == 0 else f"{name} of {frame.f_code.co_name}", thing, DEEPEST)
    return held


def _add(held, rec, name, thing, deep):
    if isinstance(thing, Value):
        if thing.kind == "vec" and thing.rec is rec:
            held[name] = thing
    elif deep > 0:
        for key, part in _parts(thing):
            _add(held, rec, name + key, part, deep - 1)


def _parts(thing):
    if isinstance(thing, (list, tuple)) and len(thing) <= LONGEST:
        return [(f"[{at}]", part) for at, part in enumerate(thing)]
    if isinstance(thing, dict) and len(thing) <= LONGEST:
        return [(f"[{key!r}]", part) for key, part in list(thing.items())]
    if isinstance(thing, (Operand, types.ModuleType, type)) or callable(thing) or not hasattr(thing, "__dict__"):
        return []
    if type(thing).__module__.startswith("flashscope."):
        return []
    return [(f".{key}", part) for key, part in list(vars(thing).items())]
