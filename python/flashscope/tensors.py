"""numpy, needed by checks."""

from ._core import Error


def numpy():
    """Returns numpy. Raises Error if it is not installed."""
    try:
        import numpy
    except ImportError:
        raise Error("check: needs numpy: apt-get install python3-numpy, or pip install numpy") from None
    return numpy
