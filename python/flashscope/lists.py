"""Lists of devices, algorithms and options."""
from . import _core
from .values import Listing


def devices():
    """Returns the GPUs that can be modelled, each with the value, unit and source of every field.

    >>> fs.devices()["h100-sxm"].fields.sm_count.value
    132
    """
    return Listing(_core.devices()["devices"])


def algorithms():
    """Returns the attention algorithms: name, title, passes, the sentence that sums each up, and where it is published."""
    return Listing(_core.algorithms()["algorithms"])


def options():
    """Returns the options of a scenario: what they take, their units and defaults."""
    return Listing(_core.options()["options"])
