"""Attention by a selected PyTorch backend."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import numpy
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from pytorch.recording import Scenario

BACKENDS = {"flash": "FLASH_ATTENTION", "cudnn": "CUDNN_ATTENTION", "math": "MATH"}
DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "fp64": torch.float64}


def backend(name: str) -> AbstractContextManager:
    """Context in which this backend computes attention, or throws if it does not support the scenario."""
    return sdpa_kernel(getattr(SDPBackend, BACKENDS[name]))


@contextmanager
def plain_arithmetic() -> Iterator[None]:
    """Context in which PyTorch computes its plain formula in the inputs' dtype; from 2.5 on the default is fp32."""
    allow = getattr(torch.backends.cuda, "allow_fp16_bf16_reduction_math_sdp", lambda allowed: None)
    allow(True)
    try:
        yield
    finally:
        allow(False)


def on_device(array: numpy.ndarray, device: str) -> torch.Tensor:
    return torch.from_numpy(numpy.array(array)).to(device)  # a copy: PyTorch cannot wrap a mapped file


def copies(scenario: Scenario, tensors: list[torch.Tensor], dtype: str = "") -> list[torch.Tensor]:
    """Copies of Q, K, V and dO, in the scenario's dtype or another; with a backward pass Q, K, V require gradients."""
    made = [each.to(each.device, DTYPES[dtype or scenario.dtype], copy=True) for each in tensors]
    return [each.requires_grad_(scenario.passes != "forward" and n < 3) for n, each in enumerate(made)]


def attention(scenario: Scenario, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    grouped = {"enable_gqa": True} if scenario.shape_q[1] != scenario.shape_k[1] else {}
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=scenario.causal, scale=scenario.scale,
                                                            **grouped)
