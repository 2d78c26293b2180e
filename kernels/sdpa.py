#!/usr/bin/env python3
"""Times PyTorch's scaled_dot_product_attention next to our kernels, and checks our results against it.

  flashscope bench --scenarios default --output bench.csv --inputs-dir inputs
  flashscope bench --seqlen 1000 --causal --pass forward+backward --output-dir results
  kernels/sdpa.py --like bench.csv --inputs inputs --check results --output pytorch.csv

Every scenario that flash2_mma was timed on is timed with PyTorch's backends flash, cudnn and math, on the same numbers
and in the way of `flashscope bench`: at least 3 runs and 50 ms of warm-up, then a CUDA event before and after each run,
the median and the quartiles. math is the plain formula in the dtype, as papers compare with it; PyTorch on its own
computes it in fp32 from 2.5 on. Cold: rotating copies of the inputs that fill the L2 twice; warm: one copy. A pass
backward is timed without the forward pass before it. The recording has the format of kernels/measurements.

A check compares O, and with a backward pass dQ, dK and dV, with attention in double (in fp32 where memory is short):
max error <= k x the error of PyTorch's plain formula in the same dtype + 2 max |(ref + 0.3 - 0.3) - ref| + 1e-5, k = 2
for O and 3 for gradients.

Exit codes: 0 done; 1 a check failed; 2 wrong usage or input; 3 no PyTorch or no GPU here.
Inaccuracies: a run shorter than its launch from Python, some tens of us, is timed as long as its launch. Clock and
power are the driver's means of up to a second.
"""
from __future__ import annotations

import argparse
import datetime
import pathlib
import shlex
import sys
import time
from collections.abc import Callable, Iterator

sys.dont_write_bytecode = True  # a change in a source folder triggers a rebuild
try:
    import numpy
    import torch

    from pytorch.attention import BACKENDS, attention, backend, copies, on_device, plain_arithmetic
    from pytorch.check import check
    from pytorch.device import Cpu, Device, Gpu
    from pytorch.recording import SCENARIO, Recording, Scenario, Wrong, load, read_recording, scenario_of
    MISSING = ""
except ImportError as error:
    MISSING = f"{error}: pip install torch numpy (PyTorch 2.3 or newer)"

INPUTS = ["Q", "K", "V", "dO"]
OURS = "flash2_mma"
TILES = {"br": "", "bc": ""}  # PyTorch chooses its own
Work = tuple["Scenario", dict[str, str]]  # a scenario and the row with our time


class Refused(Exception):
    """Raised for a scenario that a backend is not run on, with the reason."""


def note(text: object) -> None:
    print("sdpa.py:", " ".join(str(text).split())[:300], file=sys.stderr)


def run_of(scenario: Scenario, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, dO: torch.Tensor) -> Callable:
    """Returns the timed computation as a function."""
    if scenario.passes == "forward":
        return lambda: attention(scenario, q, k, v)
    if scenario.passes == "forward+backward":
        return lambda: torch.autograd.grad(attention(scenario, q, k, v), (q, k, v), dO)
    out = attention(scenario, q, k, v)
    return lambda: torch.autograd.grad(out, (q, k, v), dO, retain_graph=True)


def warm_up(runs: list[Callable], device: Device) -> float:
    """Runs at least 3 times, each copy once, and for 50 ms. Returns the seconds of the last run."""
    begin, number, last = time.perf_counter(), 0, 0.0
    while number < max(3, len(runs)) or time.perf_counter() - begin < 0.05:
        start = time.perf_counter()
        runs[number % len(runs)]()
        device.wait()
        number, last = number + 1, time.perf_counter() - start
    return last


def measure(runs: list[Callable], arguments: argparse.Namespace, device: Device) -> dict[str, str]:
    """Returns the cells of a figure. Rotates `runs`, as often as the time allows."""
    count = max(3, min(arguments.runs, int(arguments.seconds / max(warm_up(runs, device), 1e-6))))
    results, marks = [None] * (len(runs) + 1), []  # kept for one rotation, so that outputs change their address as well
    for number in range(count):
        begin = device.mark()
        results[number % len(results)] = runs[number % len(runs)]()
        marks.append((begin, device.mark()))
    state = dict(zip(["sm_mhz", "watts"], device.clock_and_power(marks[-1][1])))
    device.wait()
    low, median, high = numpy.percentile([device.microseconds(*pair) for pair in marks], [25, 50, 75])
    figure = {"value": median, "low": low, "high": high, **state}
    return {"quantity": "time", "unit": "us", "runs": str(count),
            **{name: "" if number is None else f"{number:.6g}" for name, number in figure.items()}}


def time_backend(work: Work, name: str, arguments: argparse.Namespace, inputs: list[torch.Tensor],
                 device: Device) -> dict[str, str]:
    """Returns the row of one backend. Raises Refused, or PyTorch's error if the backend lacks the scenario."""
    scenario, ours = work
    turns = 2 * device.l2 // scenario.input_bytes() + 1 if ours["caches"] == "cold" else 1
    free = device.free_bytes()
    scores = scenario.scores() * 6 * (1 if scenario.passes == "forward" else turns)  # in 16 and in 32 bits
    if name == "math" and scores > free / 2:
        raise Refused(f"its scores take {scores} bytes, more than half of the free {free}")
    with backend(name), plain_arithmetic():
        runs = [run_of(scenario, *copies(scenario, inputs)) for _ in range(turns)]
        figure = measure(runs, arguments, device)
    algorithm = "standard" if name == "math" else "flash2"
    return {**ours, **TILES, "kernel": f"pytorch-{name}", "algorithm": algorithm, **figure}


def time_work(work: Work, arguments: argparse.Namespace, inputs: list[torch.Tensor],
              device: Device) -> list[dict[str, str]]:
    rows = []
    for name in BACKENDS:
        try:
            rows.append(time_backend(work, name, arguments, inputs, device))
        except (Refused, RuntimeError) as error:  # PyTorch's out of memory is a RuntimeError
            note(f"{work[0]}: {name}: {error}")
    return rows


def number_of(row: dict[str, str]) -> float:
    try:
        return float(row["value"])
    except ValueError:
        raise Wrong(f"{row['where']}: value: \"{row['value'][:100]}\" is not a number") from None


def work_of(recording: Recording) -> Iterator[Work]:
    """Yields the scenarios that flash2_mma was timed on, cold and warm separately, each once for all of our tiles."""
    seen = set()
    for row in recording.rows:
        key = tuple(row[name] for name in [*SCENARIO, "caches"] if name not in TILES)
        if row["kernel"] != OURS or row["quantity"] != "time" or key in seen:
            continue
        seen.add(key)
        scenario = scenario_of(row, row["where"])
        number_of(row)
        if scenario.refusal:
            note(f"{row['where']}: {scenario}: PyTorch {scenario.refusal}")
        else:
            yield scenario, row


def taken(sources: list[torch.Tensor], scenario: Scenario, folder: pathlib.Path) -> list[torch.Tensor]:
    """Returns the first elements of Q, K, V and dO in the scenario's shapes."""
    inputs = []
    shapes = [scenario.shape_q, scenario.shape_k, scenario.shape_k, scenario.shape_q]
    for source, name, shape in zip(sources, INPUTS, shapes):
        size = shape[0] * shape[1] * shape[2] * shape[3]
        if len(source.shape) != 1 or len(source) < size:
            raise Wrong(f"{folder / name}.npy:1: has the shape {tuple(source.shape)}, {scenario} takes {size} numbers")
        inputs.append(source[:size].reshape(shape))
    return inputs


def head_of(like: Recording, device: Device) -> dict[str, str]:
    """Returns the recording's header. Takes the GPU's table and driver from `like` if that is of an equal card."""
    same = like.head.get("device") == device.name
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"device": device.name, "gpu": like.head.get("gpu", "") if same else "",
            "driver": like.head.get("driver", "") if same else "unknown", "software": device.software, "date": now,
            "command": shlex.join(["sdpa.py", *sys.argv[1:]])[:1900], "commit": like.head.get("commit") or "unknown"}


def print_line(work: Work, rows: list[dict[str, str]]) -> None:
    """Prints TFLOP/s of ours and of each backend, and the speed of ours relative to flash."""
    scenario, ours = work
    us = {"ours": number_of(ours), **{row["kernel"].removeprefix("pytorch-"): number_of(row) for row in rows}}
    speeds = [scenario.flops() / us[name] / 1e6 if us.get(name) else None for name in ["ours", *BACKENDS]]
    factor = speeds[0] / speeds[1] if speeds[0] and speeds[1] else None
    cells = ["-" if number is None else f"{number:.4g}" for number in [*speeds, factor]]
    print(f"{scenario} {ours['caches']}".ljust(60), *(f"{cell:>8}" for cell in cells))


def time_all(arguments: argparse.Namespace, device: Device) -> None:
    """Rewrites the recording after every scenario: an interrupted run keeps its times."""
    like = read_recording(arguments.like)
    all_work = list(work_of(like))
    if not all_work:
        raise Wrong(f"{arguments.like}:1: has no time of {OURS} to time PyTorch against")
    sources = [on_device(load(arguments.inputs / f"{name}.npy"), device.device) for name in INPUTS]
    recording = Recording(head_of(like, device), [])
    print("TFLOP/s".ljust(60), *(f"{name:>8}" for name in ["ours", *BACKENDS]), "ours/flash")
    for work in all_work:
        rows = time_work(work, arguments, taken(sources, work[0], arguments.inputs), device)
        recording.rows += rows
        recording.write(arguments.output)
        print_line(work, rows)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="sdpa.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    path = pathlib.Path
    parser.add_argument("--like", type=path, metavar="BENCH.csv", help="the recording whose scenarios are timed")
    parser.add_argument("--inputs", type=path, metavar="DIR", help="where bench wrote Q.npy, K.npy, V.npy and dO.npy")
    parser.add_argument("--output", type=path, metavar="FILE.csv", help="the recording to write")
    parser.add_argument("--check", type=path, metavar="DIR", action="append", default=[],
                        help="hold the results that bench --output-dir wrote to PyTorch; may be given again")
    parser.add_argument("--runs", type=int, default=50, help="maximum number of runs per figure [%(default)s]")
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds of runs per figure [%(default)s]")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda", help="cpu: to try it out [cuda]")
    arguments = parser.parse_args()
    timing = [arguments.like, arguments.inputs, arguments.output]
    if any(timing) != all(timing) or not (any(timing) or arguments.check):
        parser.error("--like, --inputs and --output go together; give them, or --check, or both")
    if arguments.runs < 3 or not 0 < arguments.seconds <= 3600:
        parser.error("--runs is at least 3, --seconds more than 0 and at most 3600")
    return arguments


def main() -> int:
    arguments = parsed()
    sys.stdout.reconfigure(line_buffering=True)
    if MISSING or (arguments.device == "cuda" and not torch.cuda.is_available()):
        note(MISSING or "PyTorch sees no GPU")
        return 3
    try:
        device = Gpu() if arguments.device == "cuda" else Cpu()
        passed = [check(folder, device) for folder in arguments.check]
        if arguments.like:
            time_all(arguments, device)
    except Wrong as error:
        note(error)
        return 2
    if all(passed):
        return 0
    print("a check FAILED: ours is farther from the exact result than allowed")
    return 1


if __name__ == "__main__":
    sys.exit(main())
