"""Several algorithms on one scenario: compare()."""
from . import _core
from .arguments import option_texts, text_of
from .compare_html import comparison_html
from .run import Run, size
from .signatures import takes_scenario
from .values import Error, Values, frame_of


class Comparison(Values):
    """Runs of several algorithms on one scenario, in order: comparison["flash2"], comparison[0]."""

    def __init__(self, runs, tree):
        super().__init__(tree)
        self.runs = [Run(core) for core in runs]

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
                          **{path: run.number(path) for path in _core.columns()}} for run in self.runs])

    def __repr__(self):
        width = max(len(run.scenario.algorithm) for run in self.runs)
        return "\n".join(f"{run.scenario.algorithm:{width}}  tile traffic {size(run.tile_traffic.total_bytes):>8}  HBM traffic "
                         f"{size(run.hbm_traffic.bytes):>8}  time {_core.text_in('microseconds', run.time.microseconds):>8}"
                         for run in self.runs)

    def _repr_html_(self):
        return comparison_html(self.runs)


@takes_scenario
def compare(algorithms=("standard", "flash1", "flash2"), **options) -> "Comparison":
    """Runs several algorithms on one scenario. Without any option the scenario fills the card, as on the command line."""
    names = ",".join(text_of(one) for one in ([algorithms] if isinstance(algorithms, str) else algorithms))
    if not names:
        raise Error("compare: needs an algorithm")
    return Comparison(*_core.compare(names, option_texts(options)))
