"""The table kernels/attention/compiled.csv, which the timing model reads: the machine code of each tile of flash2_mma, by
pass and architecture. Its first line names the compiler; bounds.py writes it and checks it against the build.
"""
import csv
import io
import pathlib
import re

TABLE = pathlib.Path(__file__).resolve().parents[2] / "kernels" / "attention" / "compiled.csv"
KINDS = ["HMMA", "all", "MOV", "LDSM", "LDS", "STS", "MUFU", "LDGSTS", "RED", "BAR"]  # counts of the main loop, by loops.py
COLUMNS = ["kernel", "pass", "head_dim", "br", "bc", "dropout", "architecture", "threads", "registers", "smem", *KINDS]
KEY = COLUMNS[:7] + ["smem"]
FORWARD = re.compile(r"flash2_mma_kernel<Flash2Mma<half, (\d+), (\d+), (\d+), 0>, (false|true), false>")
BACKWARD = re.compile(
    r"flash2_mma_backward_kernel<BackwardConfig<half, (\d+), (\d+), (\d+), (false|true), (false|true)>>")


def shape_of(name: str) -> dict[str, object] | None:
    """Returns a kernel's compile-time parameters, and the shared memory that it is launched with (smem_bytes_of in
    support.h, BackwardTiles in flash2_mma_backward_visit.h). None for kernels that the table omits: those of bf16, which
    have the same main loops, and those with score steps."""
    if found := FORWARD.fullmatch(name):
        d, br, bc = map(int, found.groups()[:3])
        return {"pass": "forward", "head_dim": d, "br": br, "bc": bc, "dropout": int(found[4] == "true"), "threads": 128,
                "smem": 2 * (br + 2 * bc) * d}
    if found := BACKWARD.fullmatch(name):
        d, br, bc = map(int, found.groups()[:3])
        places = 1 if found[4] == "true" else 2  # buffers for Q and dO, and for P and dS
        return {"pass": "backward", "head_dim": d, "br": br, "bc": bc, "dropout": int(found[5] == "true"), "threads": 256,
                "smem": 2 * (2 * bc * d + 2 * places * br * d + places * br * bc) + 8 * br}
    return None


def rows_of(kernels: list[tuple[str, str, dict[str, int]]]) -> list[dict[str, str]]:
    """Returns a row for each kernel of the table, given by name, architecture and counts. Among kernels of one tile, the
    one with more shared memory, which is used if it fits, is first."""
    rows = [{"kernel": "flash2_mma", "architecture": architecture, **shape, "registers": way["registers"],
             **{kind: way[kind] for kind in KINDS}}
            for name, architecture, way in kernels if (shape := shape_of(name))]
    rows.sort(key=lambda row: (row["architecture"], row["pass"] == "backward", row["head_dim"], -row["br"], -row["bc"],
                               row["dropout"], -row["smem"]))
    return [{column: str(row[column]) for column in COLUMNS} for row in rows]


def text_of(rows: list[dict[str, str]], version: str) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return f"# nvcc {version}\n{text.getvalue()}"


def read(text: str) -> tuple[str, list[dict[str, str]]]:
    """Returns the compiler's version and the rows. Raises ValueError with what is wrong."""
    first, _, table = text.partition("\n")
    version = re.fullmatch(r"# nvcc (\d+\.\d+)", first)
    if not version:
        raise ValueError('compiled.csv: its first line is not "# nvcc VERSION"')
    reader = csv.DictReader(table.splitlines())
    missing = [column for column in COLUMNS if column not in (reader.fieldnames or [])]
    if missing:
        raise ValueError(f"compiled.csv: has no column {missing[0]}")
    return version[1], list(reader)


def complaints(text: str, built: list[dict[str, str]]) -> list[str]:
    """Returns the differences between the table and the compiled kernels, a line each."""
    _, rows = read(text)
    key = lambda row: tuple(row[column] for column in KEY)
    said, made = {key(row): row for row in rows}, {key(row): row for row in built}
    named = lambda of: " ".join(of)
    return ([f"compiled.csv has a row without a kernel: {named(of)}" for of in said if of not in made] +
            [f"compiled.csv lacks a row: {named(of)}" for of in made if of not in said] +
            [f"compiled.csv: {column} is {said[of][column]}, compiled {made[of][column]}: {named(of)}"
             for of in said if of in made for column in COLUMNS if said[of][column] != made[of][column]])
