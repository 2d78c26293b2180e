"""Device that PyTorch runs on: a GPU with its clock, or the CPU, to try out the scripts."""
from __future__ import annotations

import gc
import os
import time

import numpy
import torch


class Gpu:
    def __init__(self) -> None:
        self.device, self.name = "cuda", torch.cuda.get_device_name(0)
        self.l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.wait = torch.cuda.synchronize
        cudnn = torch.backends.cudnn.version()
        self.software = f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, cuDNN {cudnn}"

    def mark(self) -> torch.cuda.Event:
        """Records a mark in the stream, with the time at which the GPU reaches it."""
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def microseconds(self, begin: torch.cuda.Event, end: torch.cuda.Event) -> float:
        return begin.elapsed_time(end) * 1e3

    def free_bytes(self) -> int:
        gc.collect()  # the exception of a failed run keeps its tensors alive
        torch.cuda.empty_cache()
        return torch.cuda.mem_get_info()[0]

    def clock_and_power(self, until: torch.cuda.Event) -> tuple[float | None, float | None]:
        """Medians of the SM clock in MHz and of the power in W while the queue runs; None if they are unavailable."""
        samples = []
        try:
            while not samples or not until.query():
                samples.append((torch.cuda.clock_rate(), torch.cuda.power_draw() / 1e3))
        except Exception:  # no pynvml, or no support by the driver or PyTorch: each throws another type
            return None, None
        clock, power = numpy.median(samples, axis=0)
        return float(clock), float(power)


class Cpu:
    """CPU substitute for a GPU; has no L2 to fill."""

    def __init__(self) -> None:
        self.device, self.name, self.l2, self.wait = "cpu", "CPU", 0, lambda: None
        self.software = f"PyTorch {torch.__version__}"

    mark = staticmethod(time.perf_counter)

    def microseconds(self, begin: float, end: float) -> float:
        return (end - begin) * 1e6

    def free_bytes(self) -> int:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    def clock_and_power(self, until: float) -> tuple[None, None]:
        return None, None


Device = Gpu | Cpu
