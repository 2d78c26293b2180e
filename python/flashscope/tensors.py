"""Tensors that a caller gives: numpy arrays, or others on the CPU through DLPack."""

from ._core import Error

LAYOUTS = ("bhnd", "bnhd")
DTYPES = {"float16": "fp16", "float32": "fp32", "float64": "fp64", "bfloat16": "bf16"}


def numpy():
    """Returns numpy. Throws Error where it is not installed."""
    try:
        import numpy
    except ImportError:
        raise Error("arrays need numpy: apt-get install python3-numpy, or pip install numpy") from None
    return numpy


def heads_of(array, name, layout="bhnd"):
    """Returns the tensor as (batch, heads, rows, head_dim) in fp32, and the name of its dtype.

    Takes (rows, head_dim), (heads, rows, head_dim) or (batch, heads, rows, head_dim); with the layout bnhd heads come
    after rows. Throws Error for anything else.
    """
    np = numpy()
    if layout not in LAYOUTS:
        raise Error(f"layout: {layout!r} is none of {', '.join(LAYOUTS)}")
    dtype = str(getattr(array, "dtype", "")).rsplit(".", 1)[-1]
    if dtype not in DTYPES:
        raise Error(f"{name}: its elements must be one of {', '.join(DTYPES)}, not {dtype or type(array).__name__}")
    device = str(getattr(array, "device", "cpu"))
    if not device.startswith("cpu"):
        raise Error(f"{name}: is on {device}: copy it to the CPU first")
    if not isinstance(array, np.ndarray):
        array = array.detach().float() if hasattr(array, "detach") else array  # numpy has no bfloat16
        array = np.from_dlpack(array)
    if not 2 <= array.ndim <= 4 or array.size == 0:
        raise Error(f"{name}: must have 2 to 4 dimensions with elements, {', '.join(layout)}; has {array.shape}")
    if layout == "bnhd" and array.ndim > 2:
        array = np.swapaxes(array, -3, -2)
    array = array.reshape((1,) * (4 - array.ndim) + array.shape)
    return np.ascontiguousarray(array, dtype=np.float32), DTYPES[dtype]


def scenario_of(q, k, v, layout="bhnd"):
    """Returns the three tensors as heads_of() has them, and the options that follow from their sizes."""
    (q, dtype), (k, _), (v, _) = (heads_of(array, name, layout) for array, name in ((q, "q"), (k, "k"), (v, "v")))
    if k.shape != v.shape:
        raise Error(f"k and v: must be of one size, are {k.shape} and {v.shape} (batch, heads, rows, head_dim)")
    if q.shape[0] != k.shape[0] or q.shape[3] != k.shape[3] or q.shape[1] % k.shape[1]:
        raise Error(f"q and k: {q.shape} and {k.shape} (batch, heads, rows, head_dim) must be of one batch and head_dim, "
                    "with heads of q a multiple of those of k")
    options = dict(batch=q.shape[0], heads=q.shape[1], kv_heads=k.shape[1], head_dim=q.shape[3])
    rows = dict(seqlen=q.shape[2]) if q.shape[2] == k.shape[2] else dict(seqlen_q=q.shape[2], seqlen_k=k.shape[2])
    return (q, k, v), {**options, **rows, "dtype": "fp32" if dtype == "fp64" else dtype}
