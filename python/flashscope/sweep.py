"""Every point of a grid of options: sweep()."""
from concurrent.futures import as_completed

from . import _core
from .arguments import LISTS, is_list, option_name, option_text, option_texts, plain, short, whole_number
from .html import escaped, page, table
from .mask import check_no_mask
from .progress import Bar
from .signatures import takes_scenario
from .values import Error, frame_of

SHOWN = 20  # rows of a printed sweep
LEAST_ROWS = 32  # of a part: a row takes milliseconds, and passing a part to another process about one
MOST_PARTS = 4096  # so that results of a part stay small beside what the executor keeps of each


class Sweep:
    """Rows of a sweep: columns, rows (a dictionary each), frame(); verdict is the result of the formula check, warnings are
    those on its times, notes what was read from models' files, and names that were replaced."""

    def __init__(self, columns, cells, verdict, warnings=(), notes=()):
        self.columns, self.verdict, self.warnings, self.notes = columns, verdict, list(warnings), list(notes)
        self.rows = [dict(zip(columns, row)) for row in cells]

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, which):
        """Returns a row by its index, or a column by its name."""
        return self.rows[which] if isinstance(which, (int, slice)) else [row[which] for row in self.rows]

    @property
    def errors(self):
        """Rows that could not run; the column error has the reason."""
        return [row for row in self.rows if row["error"] is not None]

    def frame(self):
        """Returns a pandas.DataFrame with the rows."""
        return frame_of(self.rows)

    def _shown(self):
        """Returns the columns with any content, and the first rows."""
        columns = [name for name in self.columns if any(row[name] is not None for row in self.rows)]
        return columns, [[text_in_row(row[name]) for name in columns] for row in self.rows[:SHOWN]]

    def _rest(self):
        more = f"{len(self) - SHOWN:,} more rows" if len(self) > SHOWN else ""
        verdict = [f"formula: {self.verdict}"] if self.verdict else []
        return "; ".join(part for part in (more, *verdict, *(f"warning: {text}" for text in self.warnings)) if part)

    def __repr__(self):
        columns, rows = self._shown()
        widths = [max(map(len, column)) for column in zip(columns, *rows)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in (columns, *rows)]
        return "\n".join([*lines, *([self._rest()] if self._rest() else [])])

    def _repr_html_(self):
        columns, rows = self._shown()
        cells = [[escaped(cell) for cell in row] for row in rows]
        return page('<div style="overflow-x:auto">', table([escaped(name) for name in columns], cells), "</div>",
                    f'<p class="m">{escaped(self._rest())}</p>')


def text_in_row(value):
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else f"{value:.6g}" if isinstance(value, float) else str(value)


def axes_of(over):
    """Returns axes, each a text of the command line or a name and its values. `over`: {"seqlen": [1024, 2048]},
    "seqlen=1024:65536:x2", a list of these."""
    if isinstance(over, str):
        return [over]
    if isinstance(over, dict):
        return [axis_of(name, values) for name, values in over.items()]
    if not isinstance(over, (list, tuple)):
        raise Error(f'over: {short(over)} is not a dictionary such as {{"seqlen": [1024, 2048]}}, a text or a list of them')
    return [axis for part in over for axis in axes_of(part)]


def axis_of(name, values):
    """Returns one axis. A text is read as on the command line, for values see simulate()."""
    if isinstance(values, str):
        return f"{option_name(name)}={values}"
    values = plain(values)
    values = list(values) if hasattr(values, "__iter__") else [values]
    return option_name(name), [value_of(name, value) for value in values]


def value_of(name, value):
    return LISTS[name](value) if name in LISTS and is_list(value) else option_text(name, value)


def run_part(arguments, which, of):
    """Runs the points which, which + of, ... on one thread: what a worker of an executor does."""
    return _core.sweep(*arguments, 1, None, which, of)


def on_executor(executor, arguments, show):
    """Runs a sweep in parts on an executor. Returns columns, rows in order, warnings and notes. If a part fails, or on
    Ctrl-C, it cancels the parts that have not begun, and raises."""
    if not callable(getattr(executor, "submit", None)):
        raise Error(f"executor: {short(executor)} has no submit(): give a concurrent.futures.Executor, such as "
                    "ProcessPoolExecutor(), dask's Client.get_executor() or mpi4py's MPIPoolExecutor()")
    points = _core.sweep_points(*arguments)
    parts = min(MOST_PARTS, -(-points // LEAST_ROWS))
    futures = [executor.submit(run_part, arguments, which, parts) for which in range(parts)]
    done = 0
    try:
        for future in as_completed(futures):
            done += len(future.result()[1])
            if show:
                show(done, points)
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    results = [future.result() for future in futures]
    columns, _, *said = results[0]
    rows = [results[point % parts][1][point // parts] for point in range(points)]
    return columns, rows, *said


@takes_scenario
def sweep(over, columns=None, formula=None, against=None, jobs=None, executor=None, progress=True, **options) -> "Sweep":
    """Runs every point of a grid of options, on all cores.

    over: the axes, the first varies slowest: {"seqlen": [1024, 2048], "gpu": ["t4", "h100-sxm"]}, with values as those of
    simulate(), such as {"model": ["a/config.json", "b/config.json"]}, or texts of the command line such as "seqlen=1024:65536:x2". columns: the numbers of a row, by short names or paths. formula, against: your own
    formula next to the counts. jobs: threads. executor: runs the points instead, in parts: any
    concurrent.futures.Executor, also one whose workers are on other machines. progress: a bar of tqdm, where that is installed.
    """
    texts, axes = option_texts(options), axes_of(over)
    check_no_mask("sweep", texts.get("algorithm"), axes)
    names = ",".join(columns) if isinstance(columns, (list, tuple)) else columns or ""
    if jobs is not None and executor is not None:
        raise Error("jobs: the executor decides how many points run at once")
    jobs = 0 if jobs is None else whole_number("jobs", jobs, 1, 1024)
    arguments = (texts, axes, names, formula, against)
    with Bar("sweep", progress) as bar:
        if executor is None:
            columns, cells, *said = _core.sweep(*arguments, jobs, bar.show)
        else:
            columns, cells, *said = on_executor(executor, arguments, bar.show)
    verdict = ""
    if formula is not None:
        compared = [[row[columns.index(name)] for row in cells] for name in ("ratio", "formula")]
        verdict = _core.sweep_verdict(*arguments, *compared)
    return Sweep(columns, cells, verdict, *said)
