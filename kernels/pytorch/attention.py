"""Attention by one of PyTorch's backends."""
from __future__ import annotations

from contextlib import AbstractContextManager

import numpy
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from pytorch.recording import Scenario

BACKENDS = {"flash": "FLASH_ATTENTION", "cudnn": "CUDNN_ATTENTION", "math": "MATH"}
DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "fp64": torch.float64}


def backend(name: str) -> AbstractContextManager:
    """While it is open, attention is computed by this backend, or throws where that does not take the scenario."""
    return sdpa_kernel(getattr(SDPBackend, BACKENDS[name]))


def tensors(scenario: Scenario, arrays: list[numpy.ndarray], device: str, dtype: str = "") -> list[torch.Tensor]:
    """Copies of Q, K, V and dO on the device; with a backward pass Q, K and V take gradients."""
    made = []
    for number, array in enumerate(arrays):
        tensor = torch.from_numpy(numpy.array(array)).to(device, DTYPES[dtype or scenario.dtype])
        made.append(tensor.requires_grad_(scenario.passes != "forward" and number < 3))
    return made


def attention(scenario: Scenario, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    grouped = {"enable_gqa": True} if scenario.shape_q[1] != scenario.shape_k[1] else {}
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=scenario.causal, scale=scenario.scale,
                                                            **grouped)
