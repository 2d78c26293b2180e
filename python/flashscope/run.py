"""One algorithm on one scenario: simulate()."""
from . import _core
from .arguments import option_texts
from .values import Values


class Run(Values):
    """A simulated scenario: every number of `flashscope simulate --format json` as an attribute."""

    def __init__(self, core):
        super().__init__({})
        self._core, self._read = core, False

    def __getattribute__(self, name):
        if name == "_tree" and not object.__getattribute__(self, "_read"):
            self._tree, self._read = self._core.values(), True
        return super().__getattribute__(name)

    @property
    def notes(self):
        """Names that were taken for others, a sentence each."""
        return list(self._core.notes)

    def why(self, path):
        """Derives one number, named by its path: run.why("time.microseconds"). run.paths() names all."""
        return Values(self._core.why(path), path)

    def paths(self):
        """Returns every path that why() takes."""
        return self._core.paths()

    def __repr__(self):
        words = (f"tile traffic {size(self.tile_traffic.total_bytes)}", f"HBM traffic {size(self.hbm_traffic.bytes)}",
                 f"memory {size(self.memory.peak_hbm_bytes)}", f"time {_core.text_in('microseconds', self.time.microseconds)}",
                 f"bound by {self.time.bound_by}")
        return f"{self.scenario.algorithm}, {self.scenario.pass_}: {', '.join(words)}"


def size(count):
    return _core.text_in("bytes", count)


def simulate(**options):
    """Simulates one algorithm: bytes by tensor and line, memory, FLOPs and time. The options are those of the scenario."""
    return Run(_core.simulate(option_texts(options)))


def why(path, **options):
    """Derives one number of a scenario, named by its path in the JSON."""
    return simulate(**options).why(path)
