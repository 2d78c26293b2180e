#!/usr/bin/env python3
"""Checks the main loops of the tensor-core kernels against bounds.csv: bounds.py FOLDER NVCC [--tools FOLDER]

FOLDER contains the build's objects of nvcc, NVCC is its version, --tools a folder with cuobjdump and nvdisasm if they are
not installed. Prints one line per kernel: instructions for each HMMA of the main loop, by kind, and spills of the whole
kernel. The bounds apply to nvcc 13.0, kernels/attention/compiled.csv to the nvcc that it names; with another version the
lines are printed, and only a missing kernel of bounds.csv is a failure. --write-table writes compiled.csv. Exit code 77:
no tool here disassembles the kernels.
"""
import argparse
import csv
import dataclasses
import os
import pathlib
import re
import sys
import tempfile

import compiled
import loops

NVCC = "13.0"  # version that compiled the code behind the bounds
ROUNDING = 0.005  # the bounds have two decimals
KINDS = ["MOV", "LDSM", "MUFU", "LDGSTS", "BAR"]


@dataclasses.dataclass(frozen=True, order=True)
class Kernel:
    """A kernel for one architecture, by the stem of its source."""
    object: str
    name: str
    architecture: str

    def __str__(self) -> str:
        return f"{self.architecture}  {self.object}: {self.name}"


def read_bounds(text: str) -> dict[Kernel, float]:
    """Returns the maximum of instructions for each HMMA, by row and architecture of bounds.csv."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {Kernel(row["object"], row["kernel"], column): float(row[column])
            for row in csv.DictReader(lines) for column in row if column.startswith("sm_")}


def counted(folder: pathlib.Path) -> dict[Kernel, dict[str, int]]:
    """Returns the counts of the main loops of all tensor-core kernels with objects below a folder."""
    found = {}
    for path in sorted(folder.rglob("*mma*.o")):
        with tempfile.TemporaryDirectory() as extracted:
            for cubin in loops.cubins(path, pathlib.Path(extracted)):
                architecture = re.search(r"sm_\d+", cubin.name)
                registers = loops.registers_of(cubin)
                for name, listing in loops.kernels_of(cubin).items():
                    way = loops.main_loop(listing)
                    if way is not None:
                        way["registers"] = registers.get(name, 0)
                        kernel = Kernel(path.name.split(".")[0], loops.readable(name),
                                        architecture[0] if architecture else "?")
                        found[kernel] = way
    return found


def per_hmma(way: dict[str, int]) -> float:
    return way["all"] / way["HMMA"]


def line(kernel: Kernel, way: dict[str, int], bound: float | None) -> str:
    kinds = "".join(f"{way[kind] / way['HMMA']:8.3f}" for kind in KINDS)
    return f"{per_hmma(way):6.2f} {'' if bound is None else f'{bound:.2f}':>6}{kinds}{way['spills']:8}  {kernel}"


def complaints(bounds: dict[Kernel, float], ways: dict[Kernel, dict[str, int]], version: str) -> list[str]:
    """Returns errors, a line each: missing kernels and, if the bounds apply, kernels above their bounds."""
    wrong = [f"bounds.csv names a kernel without a main loop: {kernel}" for kernel in bounds if kernel not in ways]
    if not f"{version}.".startswith(f"{NVCC}."):
        return wrong
    wrong += [f"{per_hmma(ways[kernel]):.3f} instructions for each HMMA, at most {bound:.2f}: {kernel}"
              for kernel, bound in bounds.items()
              if kernel in ways and per_hmma(ways[kernel]) > bound + ROUNDING]
    return wrong + [f"spills: {kernel}" for kernel, way in ways.items() if way["spills"] > 0]


def table_complaints(table: pathlib.Path, built: list[dict[str, str]], version: str) -> list[str]:
    """Returns the errors of compiled.csv, a line each; prints a note if the table is of another nvcc."""
    try:
        written_by, _ = compiled.read(table.read_text(encoding="utf-8"))
        if not f"{version}.".startswith(f"{written_by}."):
            print(f"{table.name} is of nvcc {written_by}, the kernels of {version}: not compared")
            return []
        return compiled.complaints(table.read_text(encoding="utf-8"), built)
    except (OSError, ValueError) as error:
        return [str(error)]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("nvcc")
    parser.add_argument("--tools", default="")
    parser.add_argument("--bounds", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent / "bounds.csv")
    parser.add_argument("--table", type=pathlib.Path, default=compiled.TABLE)
    parser.add_argument("--write-table", action="store_true")
    arguments = parser.parse_args(words)
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), arguments.tools])
    bounds = read_bounds(arguments.bounds.read_text(encoding="utf-8"))
    loops.tool("cuobjdump")
    print(f"nvcc {arguments.nvcc}, nvdisasm {'.'.join(map(str, loops.release('nvdisasm')))}; for each HMMA:")
    ways = counted(arguments.folder)
    print("   all  bound" + "".join(f"{kind:>8}" for kind in KINDS) + "  spills  kernel")
    for kernel, way in sorted(ways.items()):
        print(line(kernel, way, bounds.get(kernel)))
    built = compiled.rows_of([(kernel.name, kernel.architecture, way) for kernel, way in ways.items()])
    if arguments.write_table:
        release = ".".join(arguments.nvcc.split(".")[:2])
        arguments.table.write_text(compiled.text_of(built, release), encoding="utf-8")
    wrong = complaints(bounds, ways, arguments.nvcc) + table_complaints(arguments.table, built, arguments.nvcc)
    print("\n".join(f"FAILED: {error_message}" for error_message in wrong) or f"ok: {len(ways)} kernels")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
