"""Checks results of our kernels against PyTorch on equal inputs, by the numerics rule."""
from __future__ import annotations

import pathlib
from urllib.parse import parse_qsl

import torch

from pytorch.attention import DTYPES, attention, backend, copies, on_device, plain_arithmetic
from pytorch.device import Device
from pytorch.recording import Scenario, Wrong, load, read_text, scenario_of

GRADIENTS = ["dQ", "dK", "dV"]


def read_scenario(folder: pathlib.Path) -> Scenario:
    path = folder / "scenario.txt"
    try:
        link = read_text(path).strip().replace("+", "%2B")  # our links contain no blanks
        options = parse_qsl(link, keep_blank_values=True, strict_parsing=True)
    except ValueError as error:
        raise Wrong(f"{path}:1: {error}") from None
    scenario = scenario_of(dict(options), f"{path}:1")
    if scenario.refusal:
        raise Wrong(f"{path}:1: PyTorch {scenario.refusal}")
    return scenario


def read_tensors(folder: pathlib.Path, names: list[str], scenario: Scenario, device: Device) -> list[torch.Tensor]:
    arrays = [load(folder / f"{name}.npy") for name in names]
    for name, array in zip(names, arrays):
        shape = scenario.shape_k if name in ("K", "V", "dK", "dV") else scenario.shape_q
        if array.shape != shape:
            raise Wrong(f"{folder / name}.npy:1: has the shape {array.shape}, scenario.txt has {shape}")
    return [on_device(array, device.device) for array in arrays]


def results(scenario: Scenario, inputs: list[torch.Tensor], name: str, dtype: str = "") -> list[torch.Tensor] | None:
    """Returns O and, with a backward pass, dQ, dK and dV; None if a backend other than math lacks the scenario."""
    q, k, v, *rest = copies(scenario, inputs, dtype)
    try:
        with backend(name):
            out = attention(scenario, q, k, v)
            return [out.detach(), *torch.autograd.grad(out, (q, k, v), rest[0])] if rest else [out]
    except RuntimeError as error:
        if name == "math":
            raise Wrong(f"{scenario}: {name}: {error}") from None
        return None


def reference(scenario: Scenario, inputs: list[torch.Tensor], device: Device) -> list[torch.Tensor]:
    """Returns results in double if scores, gradients and copies of both fit in half of the memory, else in fp32."""
    fits = scenario.scores() * 8 * 4 <= device.free_bytes() / 2
    return results(scenario, inputs, "math", "fp64" if fits else "fp32")


def error(values: torch.Tensor, exact: torch.Tensor) -> float:
    return float(abs(values.to(exact.device, exact.dtype) - exact).max())


def rounding_error(exact: torch.Tensor, dtype: str) -> float:
    """Error of two roundings of numbers of this size."""
    short = exact.to(exact.device, DTYPES[dtype])
    return 2 * float(abs((short + 0.3 - 0.3) - short).max())


def print_errors(name: str, values: list[torch.Tensor | None], exact: torch.Tensor, dtype: str) -> bool:
    """Prints the errors of a tensor: ours, then PyTorch's, the plain formula last. True if ours is within the rule."""
    errors = [None if each is None else error(each, exact) for each in values]
    allowed = (2 if name == "O" else 3) * errors[-1] + rounding_error(exact, dtype) + 1e-5
    passed = errors[0] <= allowed
    cells = ["-" if each is None else f"{each:.3g}" for each in [*errors, allowed]]
    print(f"{name:6}" + "".join(f"{cell:>11}" for cell in cells) + ("" if passed else "  FAILED"))
    return passed


def check(folder: pathlib.Path, device: Device) -> bool:
    """Prints a table of errors. True if ours are within the rule; a NaN is not."""
    scenario = read_scenario(folder)
    both = scenario.passes != "forward"
    inputs = read_tensors(folder, ["Q", "K", "V", *(["dO"] if both else [])], scenario, device)
    names = ["O", *(GRADIENTS if both else [])]
    ours = read_tensors(folder, names, scenario, device)
    exact = reference(scenario, inputs, device)
    with plain_arithmetic():
        by = {name: results(scenario, inputs, name) for name in ("flash", "cudnn", "math")}
    print(f"{folder}: {scenario}: max abs error")
    print(" " * 6 + "".join(f"{name:>11}" for name in ["ours", *by, "allowed"]))
    return all([print_errors(name, [ours[n], *(each and each[n] for each in by.values())], exact[n], scenario.dtype)
                for n, name in enumerate(names)])
