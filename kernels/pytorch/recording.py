"""Recordings and scenarios, in the format of kernels/measurements/README.md; needs no PyTorch."""
from __future__ import annotations

import csv
import itertools
import pathlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy

TITLE = "# FlashScope recording 1"
SCENARIO = ["algorithm", "pass", "batch", "heads", "kv-heads", "seqlen-q", "seqlen-k", "head-dim", "dtype", "causal",
            "window", "padding", "dropout", "br", "bc", "splits", "pattern", "seqlens", "issue", "prefix",
            "softcap", "alibi", "sink", "page-size", "partition"]
LATER = SCENARIO[-10:]  # columns that earlier recordings lack
COLUMNS = ["kernel", *SCENARIO, "caches", "quantity", "unit", "value", "low", "high", "runs", "sm_mhz", "watts"]
FLOPS = {"forward": 1, "backward": 2.5, "forward+backward": 3.5}  # of a pass, relative to a forward pass
DTYPES = ["fp16", "bf16", "fp32"]


class Wrong(Exception):
    """Raised for an unusable input, with one line: the file, the line, the error."""


@dataclass(frozen=True)
class Scenario:
    passes: str
    shape_q: tuple[int, int, int, int]  # batch, heads, rows, columns
    shape_k: tuple[int, int, int, int]
    dtype: str
    causal: bool
    scale: float | None
    refusal: str  # reason why SDPA does not compute it, or ""

    def scores(self) -> int:
        return self.shape_q[0] * self.shape_q[1] * self.shape_q[2] * self.shape_k[2]

    def flops(self) -> float:
        """FLOPs by the usual formula, which credits every backward pass with five products."""
        return FLOPS[self.passes] * 4 * self.scores() * self.shape_q[3] / (2 if self.causal else 1)

    def input_bytes(self) -> int:
        """Bytes of Q, K and V, with a backward pass of dO as well."""
        q, k = (shape[0] * shape[1] * shape[2] * shape[3] for shape in (self.shape_q, self.shape_k))
        return (4 if self.dtype == "fp32" else 2) * (q * (1 if self.passes == "forward" else 2) + 2 * k)

    def __str__(self) -> str:
        (batch, heads, rows, d), keys = self.shape_q, self.shape_k[2]
        length = f"N {rows}" if rows == keys else f"Nq {rows} Nk {keys}"
        return f"{self.passes} {batch}x{heads} {length} d {d} {self.dtype}" + (" causal" if self.causal else "")


def one_of(names: list[str]) -> Callable[[str], str]:
    return lambda text: names[names.index(text)]


def size(text: str) -> int:
    number = int(text)
    if not 0 < number < 1 << 40:
        raise ValueError
    return number


def refusal_of(options: Mapping[str, str], causal: bool, square: bool, read: Callable) -> str:
    if causal and not square:
        return "is_causal aligns the diagonal to the top left, not to the bottom right"
    for name in LATER:
        if options.get(name):
            return f"has no {name}"
    for name in ("padding", "dropout"):
        if read(name, float, "0") != 0:
            return f"is not timed with {name}"
    return "has no window" if options.get("window") else ""


def scenario_of(options: Mapping[str, str], where: str) -> Scenario:
    """Makes a scenario from the options of a row or a link; missing ones have the command line's defaults."""
    def read(name: str, convert: Callable, otherwise: str) -> object:
        text = options.get(name) or otherwise
        try:
            return convert(text)
        except ValueError:
            raise Wrong(f'{where}: {name}: "{text[:100]}" is none') from None

    heads, length = read("heads", size, "1"), options.get("seqlen") or "1024"
    batch, d, kv_heads = read("batch", size, "1"), read("head-dim", size, "64"), read("kv-heads", size, str(heads))
    rows, keys = read("seqlen-q", size, length), read("seqlen-k", size, length)
    causal = read("causal", one_of(["0", "1"]), "0") == "1"
    return Scenario(read("pass", one_of(list(FLOPS)), "forward"), (batch, heads, rows, d), (batch, kv_heads, keys, d),
                    read("dtype", one_of(DTYPES), "fp16"), causal, read("scale", float, "0") or None,
                    refusal_of(options, causal, rows == keys, read))


@dataclass
class Recording:
    head: dict[str, str]
    rows: list[dict[str, str]]  # cells by column; "where" has the file and the line

    def write(self, path: pathlib.Path) -> None:
        """Replaces the file atomically: concurrent readers see the old or the new one."""
        lines = [TITLE, *(f"# {key}: {value}" for key, value in self.head.items() if value), ",".join(COLUMNS)]
        lines += [",".join(row[name] for name in COLUMNS) for row in self.rows]
        part = path.with_name(path.name + ".part")
        try:
            part.write_text("\n".join(lines) + "\n", encoding="utf-8")
            part.replace(path)
        except OSError as error:
            raise Wrong(f"{path}: {error.strerror}") from None


def read_text(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Wrong(f"{path}:1: {error}") from None


def row_of(line: str, columns: list[str], where: str) -> dict[str, str]:
    try:
        cells = next(csv.reader([line]), [])
    except csv.Error as error:
        raise Wrong(f"{where}: {error}") from None
    if len(cells) != len(columns):
        raise Wrong(f"{where}: {len(cells)} cells, expected {len(columns)}")
    return {**dict.fromkeys(COLUMNS, ""), **dict(zip(columns, cells)), "where": where}


def read_recording(path: pathlib.Path) -> Recording:
    lines = read_text(path).splitlines()
    if lines[:1] != [TITLE]:
        raise Wrong(f'{path}:1: is not a recording: expected "{TITLE}"')
    keys = list(itertools.takewhile(lambda line: line.startswith("# "), lines[1:]))
    head, table = dict(key[2:].partition(": ")[::2] for key in keys), 1 + len(keys)
    tables = [[name for name in COLUMNS if name not in LATER[count:]] for count in range(len(LATER) + 1)]
    columns = next((names for names in tables if lines[table:table + 1] == [",".join(names)]), None)
    if columns is None:
        raise Wrong(f"{path}:{table + 1}: expected the columns {','.join(COLUMNS)}")
    return Recording(head, [row_of(line, columns, f"{path}:{n}") for n, line in enumerate(lines[table + 1:], table + 2)])


def load(path: pathlib.Path) -> numpy.ndarray:
    """Maps an .npy file of floats."""
    try:
        array = numpy.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise Wrong(f"{path}:1: {error}") from None
    if not isinstance(array, numpy.ndarray) or array.dtype.kind != "f":
        raise Wrong(f"{path}:1: holds no floats")
    return array
