"""Several algorithms on one scenario: compare()."""
from . import _core
from .arguments import option_texts, text_of
from .compare_html import comparison_html
from .explorer import explorer
from .mask import with_mask
from .run import Run, size, time, wants_values, with_values
from .signatures import takes_scenario
from .values import Error, Values, frame_of


class Comparison(Values):
    """Runs of several algorithms on one scenario, in order: comparison["flash2"], comparison[0].

    With arrays each run has its .outputs, and in .check their errors against double precision.
    """

    def __init__(self, runs, tree, texts):
        super().__init__(tree)
        self.runs = [Run(core, tensors, {"algorithm": core.values()["scenario"]["algorithm"], **texts})
                     for core, tensors in runs]

    @property
    def link(self):
        """The link that opens the first run in the explorer, compared with the others."""
        others = ",".join(f"algorithm:{run.scenario.algorithm}" for run in self.runs[1:])
        return self.runs[0].link + (f"&compare={others}" if others else "")

    def explorer(self):
        """Shows the explorer in a frame: the first run, compared with the others. See explorer()."""
        return explorer(self)

    def __getitem__(self, which):
        if isinstance(which, int):
            return self.runs[which]
        for run in self.runs:
            if run.scenario.algorithm == which:
                return run
        return super().__getitem__(which)

    def __iter__(self):
        return iter(self.runs)

    def __len__(self):
        return len(self.runs)

    def frame(self):
        """Returns a pandas.DataFrame with a row for each algorithm and a column for each number of `compare --format csv`."""
        return frame_of([{"algorithm": run.scenario.algorithm,
                          **{path: run.number(path) for path in _core.columns()}, **error_of(run)} for run in self.runs])

    def __repr__(self):
        width = max(len(run.scenario.algorithm) for run in self.runs)
        lines = [f"{run.scenario.algorithm:{width}}  tile traffic {size(run.tile_traffic.total_bytes):>8}  HBM traffic "
                 f"{size(run.hbm_traffic.bytes):>8}  time {time(run.time.microseconds):>8}"
                 + "".join(f"  error {error:.1e}" for error in error_of(run).values()) for run in self.runs]
        return "\n".join(lines + [f"warning: {run.scenario.algorithm}: {text}" for run in self.runs for text in run.warnings])

    def _repr_html_(self):
        return comparison_html(self.runs)


@takes_scenario
def compare(algorithms=("standard", "flash1", "flash2"), q=None, k=None, v=None, d_o=None, layout="bhnd", numerics=None,
            progress=True, **options) -> "Comparison":
    """Runs several algorithms on one scenario. Without any option the scenario fills the card, as on the command line.

    q, k, v, d_o, layout, numerics: as of simulate(); all algorithms compute the same inputs, and each is checked against
    double precision.
    """
    names = ",".join(text_of(one) for one in ([algorithms] if isinstance(algorithms, str) else algorithms))
    if not names:
        raise Error("compare: needs an algorithm")
    texts, arrays = option_texts(options), [q, k, v, d_o]
    if "algorithm" in texts:
        raise Error("compare: takes a list of algorithms, not algorithm=")
    values = wants_values(arrays, numerics, layout)
    alone = not texts and not values
    texts = with_mask(texts, names.split(","), arrays, layout)
    if alone and texts:  # a mask is not an option of the caller's
        texts = {**_filled_card(names), **texts}
    if not values:
        runs, tree = _core.compare(names, texts)
        return Comparison([(run, None) for run in runs], tree, texts)
    return Comparison(*with_values("compare", progress, lambda show: _core.compare_values(names, texts, arrays, layout, show)),
                      texts)


def _filled_card(names):
    """Returns the sizes of a comparison without options."""
    scenario = _core.compare(names, {})[0][0].values()["scenario"]
    return {option: str(scenario[option]) for option in ("batch", "heads", "seqlen-q", "seqlen-k", "head-dim")}


def error_of(run):
    """Returns the largest error against double precision by its path; nothing where no values were computed."""
    error = run.number("check.max_abs_error")
    return {} if error is None else {"check.max_abs_error": error}
