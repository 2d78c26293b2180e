"""A stand-in for PyTorch, by numpy: only the functions that kernels/sdpa.py calls. Words in FAKE_TORCH change its
behaviour: no-gpu, no-clock, refuse-BACKEND, and wrong-flash, which makes the results of flash wrong. Time is simulated as
well: only attention takes any, the same on every machine."""
import os
import time
from types import SimpleNamespace

import numpy

float16, bfloat16, float32, float64 = numpy.float16, numpy.float32, numpy.float32, numpy.float64
words = os.environ.get("FAKE_TORCH", "").split()
__version__ = "0.0-fake"
version = SimpleNamespace(cuda="0.0")
SECONDS = 2.0 ** -10  # duration of a forward pass; a backward pass takes two. Its sums are exact
passed = [0.0]
time.perf_counter = lambda: passed[0]


def work(passes):
    passed[0] += passes * SECONDS


class Tensor(numpy.ndarray):
    def to(self, device, dtype=None, copy=False):
        assert device in ("cuda", "cpu")
        return self.astype(dtype or self.dtype, copy=copy).view(Tensor)

    def requires_grad_(self, wanted):
        self.wanted = wanted
        return self

    def detach(self):
        return self

    device = "cpu"


def from_numpy(array):
    assert type(array) is numpy.ndarray, "PyTorch takes no map of a file"
    return array.view(Tensor)


def grad(out, inputs, gradient, retain_graph=False):
    assert all(each.wanted for each in inputs)
    work(2)
    return out.gradients(gradient)


class Event:
    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.at = time.perf_counter()

    def elapsed_time(self, end):
        return (end.at - self.at) * 1e3

    def query(self):
        return True


def clock_rate():
    if "no-clock" in words:
        raise ModuleNotFoundError("pynvml does not seem to be installed")
    return 1500


autograd = SimpleNamespace(grad=grad)
allowed = [False]  # math in the dtype of its inputs, else in fp32
backends = SimpleNamespace(cuda=SimpleNamespace(allow_fp16_bf16_reduction_math_sdp=allowed.append), cudnn=SimpleNamespace(version=lambda: 1))
cuda = SimpleNamespace(
    is_available=lambda: "no-gpu" not in words, get_device_name=lambda index: "Example H200",
    get_device_properties=lambda index: SimpleNamespace(L2_cache_size=1 << 20), synchronize=lambda: None,
    empty_cache=lambda: None, mem_get_info=lambda: (1 << 30, 1 << 31), clock_rate=clock_rate,
    power_draw=lambda: 400000, Event=Event)

from torch import nn  # noqa: E402
from torch.nn import functional as functional  # noqa: E402
