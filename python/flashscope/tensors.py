"""numpy, which checks need."""

from ._core import Error


def numpy():
    """Returns numpy. Throws Error where it is not installed."""
    try:
        import numpy
    except ImportError:
        raise Error("check: needs numpy: apt-get install python3-numpy, or pip install numpy") from None
    return numpy
