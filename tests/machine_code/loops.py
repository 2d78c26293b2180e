#!/usr/bin/env python3
"""Counts the instructions of kernels' main loops: loops.py [--kernel PATTERN] FILE...

FILE is a cubin, or an object file of nvcc (cuobjdump then extracts the cubins). A kernel's main loop is the innermost
one with the most HMMA. The script counts the path of an ordinary iteration: among the paths from the loop's head back to
it, those with the most HMMA, then atomics, then prefetches (LDGSTS), and of these the shortest, which skips masks and
short blocks. A nested loop counts times its trip count. Prints one line per kernel; MOV counts every copy of a register,
including those written as an addition of zero or a product with it.
"""
import argparse
import dataclasses
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDERS = ["/usr/local/cuda/bin", "/opt/cuda/bin", "/usr/lib/nvidia-cuda-toolkit/bin"]
SKIPPED = 77  # exit code for ctest
READS = (12, 4)  # the oldest tools known to read the output of nvcc 13.0; those of 11.8 do not
SECTION = re.compile(r"^\t\.section\t\.text\.(\w+),", re.M)
LINE = re.compile(r"^ +/\*[0-9a-f]{4,}\*/ +(?:@(!?U?P\w+) +)?([A-Z][\w.]*)([^;]*);|^(\.L_x_\d+):", re.M)
COPY = re.compile(r"IMAD\.MOV|U?MOV\b|IMAD\.U32 R\d+, RZ, RZ|(IMAD|U?IADD3|VIADD)[.\w]* \w+, U?R\w+, U?RZ, U?RZ\b")
COUNTED = {"HMMA": r"HMMA", "all": r"", "MOV": None, "LDSM": r"LDSM", "LDS": r"LDS\b", "STS": r"STS\b", "MUFU": r"MUFU",
           "LDGSTS": r"LDGSTS", "RED": r"RED|ATOM", "BAR": r"BAR", "spills": r"LDL|STL"}


@dataclasses.dataclass(frozen=True)
class Instruction:
    predicate: str
    opcode: str
    operands: str

    def text(self) -> str:
        return f"{self.opcode} {self.operands}"

    def counts_as(self, kind: str) -> bool:
        pattern = COUNTED[kind]
        return bool(COPY.match(self.text()) if pattern is None else re.match(pattern, self.opcode))

    def target(self) -> str:
        """Returns the label of a branch, else "". CALL.REL.NOINC is a long branch: its target does not return."""
        found = re.search(r"\.L_x_\d+", self.operands) if self.opcode.startswith(("BRA", "CALL.REL.NOINC")) else None
        return found[0] if found else ""

    def ends_the_way(self) -> bool:
        return self.predicate == "" and re.match(r"BRA\b(?!.*U?P\d)|EXIT|RET", self.text()) is not None


@dataclasses.dataclass
class Block:
    """A basic block: its instructions, and the numbers of its successors."""
    code: list[Instruction]
    next: list[int] = dataclasses.field(default_factory=list)


def tool(name: str) -> str:
    """Returns the path of a program of the CUDA toolkit; skips if there is none."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *FOLDERS]))
    if found is None:
        print(f"skipped: there is no {name} (a CUDA toolkit, or tests/machine_code/fetch_tools.sh)")
        sys.exit(SKIPPED)
    return found


def release(name: str) -> tuple[int, ...]:
    """Returns the version of the toolkit that contains a program, as (12, 4)."""
    said = subprocess.run([tool(name), "--version"], text=True, stdout=subprocess.PIPE, check=False).stdout
    found = re.search(r"release (\d+)\.(\d+)", said)
    return tuple(int(number) for number in found.groups()) if found else ()


def output_of(name: str, *arguments: str, folder: pathlib.Path | None = None) -> str:
    """Returns the output of a program of the toolkit. If it cannot read the file, skips if it is too old, else fails."""
    done = subprocess.run([tool(name), *arguments], cwd=folder, text=True, capture_output=True, check=False)
    if done.returncode == 0:
        return done.stdout
    version, old = ".".join(map(str, release(name))), release(name) < READS
    print(f"{'skipped' if old else 'FAILED'}: {name} {version} does not read {arguments[-1]}: {done.stderr.strip()}"
          f"{f' ({READS[0]}.{READS[1]} reads what nvcc 13.0 writes)' if old else ''}")
    sys.exit(SKIPPED if old else 1)


def blocks_of(listing: str) -> list[Block]:
    blocks, labels, open_block = [], {}, False
    for predicate, opcode, operands, label in LINE.findall(listing):
        if label:
            labels[label], open_block = len(blocks), False
            blocks.append(Block([]))
            open_block = True
            continue
        if not open_block:
            blocks.append(Block([]))
        blocks[-1].code.append(Instruction(predicate, opcode, operands.strip()))
        open_block = blocks[-1].code[-1].target() == "" and not blocks[-1].code[-1].ends_the_way()
    for number, block in enumerate(blocks):
        last = block.code[-1] if block.code else None
        if last and last.target() in labels:
            block.next.append(labels[last.target()])
        if not (last and last.ends_the_way()) and number + 1 < len(blocks):
            block.next.append(number + 1)
    return blocks


def back_edges(blocks: list[Block]) -> list[tuple[int, int]]:
    """Returns edges to a block on the current path: the ends of loops with their heads."""
    edges, state = [], [0] * len(blocks)
    stack = [(0, iter(blocks[0].next))]
    state[0] = 1
    while stack:
        number, following = stack[-1]
        after = next(following, None)
        if after is None:
            state[number] = 2
            stack.pop()
        elif state[after] == 1:
            edges.append((number, after))
        elif state[after] == 0:
            state[after] = 1
            stack.append((after, iter(blocks[after].next)))
    return edges


def loops_of(blocks: list[Block]) -> dict[int, set[int]]:
    """Returns the blocks of each loop by its head: those that reach a back edge without passing the head."""
    before: list[list[int]] = [[] for _ in blocks]
    for number, block in enumerate(blocks):
        for after in block.next:
            before[after].append(number)
    loops: dict[int, set[int]] = {}
    for end, head in back_edges(blocks):
        body, waiting = loops.setdefault(head, {head}), [end]
        while waiting:
            number = waiting.pop()
            if number not in body:
                body.add(number)
                waiting += before[number]
    return loops


def trips(blocks: list[Block], head: int, body: set[int]) -> int:
    """Returns the trip count of a loop from 0 to a constant in constant steps; 1 if no such counter is found."""
    end = max(number for number in body if head in blocks[number].next)
    code = [one for number in sorted(body) for one in blocks[number].code]
    predicate = blocks[end].code[-1].predicate.lstrip("!")
    for one in reversed(code):
        found = re.match(rf"U?{predicate}, U?PT, (U?R\d+), (0x[0-9a-f]+),", one.operands)
        if one.opcode.startswith(("ISETP.NE", "UISETP.NE")) and found:
            register, bound = found[1], int(found[2], 16)
            steps = [re.match(rf"{register}, {register}, (0x[0-9a-f]+)\b", other.operands) for other in code]
            step = next((int(step[1], 16) for step in steps if step), bound)
            return max(1, bound // step)
    return 1


def counts(block: Block, times: int) -> dict[str, int]:
    return {kind: times * sum(one.counts_as(kind) for one in block.code) for kind in COUNTED}


def ordinary_way(blocks: list[Block], head: int, loops: dict[int, set[int]]) -> dict[str, int]:
    """Returns the counts of the path of an ordinary iteration (see above) through the loop at `head`."""
    body, ends = loops[head], back_edges(blocks)
    within = {inner: loops[inner] for inner in loops if inner in body and inner != head}
    times = {number: functools.reduce(lambda product, inner: product * trips(blocks, inner, within[inner])
                                      if number in within[inner] else product, within, 1) for number in body}

    def rank(sums: dict[str, int]) -> tuple[int, ...]:
        return sums["HMMA"], sums["RED"], sums["LDGSTS"], -sums["all"]

    @functools.lru_cache(maxsize=None)
    def best_from(number: int) -> tuple[tuple[str, int], ...] | None:
        own, ways = counts(blocks[number], times[number]), []
        if (number, head) in ends:
            ways.append(dict.fromkeys(COUNTED, 0))
        for after in blocks[number].next:
            if after in body and (number, after) not in ends:
                rest = best_from(after)
                if rest is not None:
                    ways.append(dict(rest))
        if not ways:
            return None
        best = max(ways, key=rank)
        return tuple((kind, own[kind] + best[kind]) for kind in COUNTED)

    sys.setrecursionlimit(100_000)
    best = best_from(head)
    assert best is not None, "a loop without an end"
    return dict(best)


def main_loop(listing: str) -> dict[str, int] | None:
    """Returns the counts of a kernel's main loop; None if no loop contains HMMA."""
    blocks = blocks_of(listing)
    loops = loops_of(blocks) if blocks else {}
    ways = {head: ordinary_way(blocks, head, loops) for head in loops}
    best = max((way["HMMA"] for way in ways.values()), default=0)
    if best == 0:
        return None
    head = min((head for head in ways if ways[head]["HMMA"] == best), key=lambda head: len(loops[head]))
    whole = counts(Block([one for block in blocks for one in block.code]), 1)
    return {**ways[head], "spills": whole["spills"]}


def cubins(path: pathlib.Path, folder: pathlib.Path) -> list[pathlib.Path]:
    """Extracts the cubins of an object into its own folder below `folder`, since cuobjdump chooses their names."""
    if path.suffix == ".cubin":
        return [path]
    own = pathlib.Path(tempfile.mkdtemp(dir=folder))
    output_of("cuobjdump", "-xelf", "all", str(path.resolve()), folder=own)
    return sorted(own.glob("*.cubin"))


def kernels_of(cubin: pathlib.Path) -> dict[str, str]:
    """Returns the listing of each kernel in a cubin by its mangled name."""
    parts = SECTION.split(output_of("nvdisasm", "-c", str(cubin)))[1:]
    return dict(zip(parts[::2], parts[1::2]))


def registers_of(cubin: pathlib.Path) -> dict[str, int]:
    """Returns the registers per thread of each kernel in a cubin."""
    said = output_of("cuobjdump", "-res-usage", cubin.name, folder=cubin.parent)
    return {name: int(count) for name, count in re.findall(r"Function (\w+):\s+REG:(\d+)", said)}


def readable(name: str) -> str:
    """Returns a kernel's demangled name: flash2_mma_kernel<Flash2Mma<half, 128, 128, 64, 0>, false, false>."""
    if shutil.which("c++filt"):
        name = subprocess.run(["c++filt", name], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    name = re.sub(r"^void |\w+::|__nv_(?=bfloat16)|__(?=half)", "", name)
    return re.sub(r"\(LeftOut\)|\([^()]*\)$", "", name).replace("> >", ">>")


def row(name: str, way: dict[str, int]) -> str:
    return f"{way['all'] / way['HMMA']:7.2f}" + "".join(f"{way[kind]:7d}" for kind in COUNTED) + f"  {name}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kernel", default="", help="a pattern that must match part of a kernel's name")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    print("per HMMA" + "".join(f"{kind:>7}" for kind in COUNTED)[1:] + "  kernel")
    with tempfile.TemporaryDirectory() as folder:
        for path in arguments.files:
            for cubin in cubins(path, pathlib.Path(folder)):
                for name, listing in sorted(kernels_of(cubin).items()):
                    way = main_loop(listing) if re.search(arguments.kernel, readable(name)) else None
                    if way is not None:
                        print(row(f"{cubin.stem}: {readable(name)}", way))


if __name__ == "__main__":
    main()
