#!/usr/bin/env python3
"""Checks the machine code of the kernels on wgmma against wgmma.csv: wgmma.py FOLDER NVCC [--tools FOLDER]

FOLDER contains the build's objects of nvcc, or cubins, NVCC is its version, --tools a folder with cuobjdump and nvdisasm if
they are not installed. Prints products and operations of mbarriers of each kernel's main loop, and spills of the whole
kernel, of which there may be none. The counts apply to nvcc 13.0; with another version they are printed. Exit code 77: no
tool here disassembles the kernels.
"""
import argparse
import csv
import os
import pathlib
import sys
import tempfile

import bounds
import loops

KINDS = ["HGMMA", "SYNCS"]


def expected_of(text: str) -> dict[str, dict[str, int]]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {row["kernel"]: {kind: int(row[kind]) for kind in KINDS} for row in csv.DictReader(lines)}


def number(code: list[loops.Instruction], *kinds: str) -> int:
    return sum(1 for one in code if one.opcode.startswith(kinds))


def counts_of(listing: str) -> dict[str, int] | None:
    """Returns the counts of the loop with the most products, and the spills of the kernel; None if it has no HGMMA."""
    blocks = loops.blocks_of(listing)
    bodies = [[one for block in body for one in blocks[block].code] for body in loops.loops_of(blocks).values()]
    most = max(bodies, key=lambda code: number(code, "HGMMA"), default=[])
    if number(most, "HGMMA") == 0:
        return None
    whole = [one for block in blocks for one in block.code]
    return {**{kind: number(most, kind) for kind in KINDS}, "spills": number(whole, "LDL", "STL")}


def counted(folder: pathlib.Path) -> dict[str, dict[str, int]]:
    """Returns the counts of all kernels on wgmma with objects or cubins below a folder."""
    found = {}
    for path in sorted([*folder.rglob("*wgmma*.o"), *folder.rglob("*wgmma*.cubin")]):
        with tempfile.TemporaryDirectory() as extracted:
            for cubin in loops.cubins(path, pathlib.Path(extracted)):
                for name, listing in loops.kernels_of(cubin).items():
                    counts = counts_of(listing)
                    if counts is not None:
                        found[loops.readable(name)] = counts
    return found


def complaints(expected: dict[str, dict[str, int]], found: dict[str, dict[str, int]], version: str) -> list[str]:
    wrong = [f"wgmma.csv names a kernel without a main loop: {name}" for name in expected if name not in found]
    wrong += [f"spills: {name}" for name, counts in found.items() if counts["spills"] > 0]
    if not f"{version}.".startswith(f"{bounds.NVCC}."):
        return wrong
    return wrong + [f"{found[name][kind]} {kind} in the main loop, not {row[kind]}: {name}"
                    for name, row in expected.items() for kind in KINDS
                    if name in found and found[name][kind] != row[kind]]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("nvcc")
    parser.add_argument("--tools", default="")
    arguments = parser.parse_args(words)
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), arguments.tools])
    table = pathlib.Path(__file__).resolve().parent / "wgmma.csv"
    loops.tool("cuobjdump")
    found = counted(arguments.folder)
    for name, counts in sorted(found.items()):
        print("  ".join(f"{kind} {count}" for kind, count in counts.items()) + "  " + name)
    wrong = complaints(expected_of(table.read_text(encoding="utf-8")), found, arguments.nvcc)
    print("\n".join(f"FAILED: {message}" for message in wrong) or f"ok: {len(found)} kernels")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
