"""One algorithm on one scenario: simulate()."""
import os

from . import _core
from .arguments import option_texts
from .listing import Listing
from .run_html import run_html
from .values import Values


class Run(Values):
    """A simulated scenario: every number of `flashscope simulate --format json` as an attribute."""

    def __init__(self, core):
        super().__init__(None)
        self._core = core

    def _read(self):
        return self._core.values()

    @property
    def title(self):
        """The algorithm and the pass: "FlashAttention-2, forward"."""
        return self._core.title

    @property
    def shape(self):
        """The scenario and the device in words: "batch 4, heads 32, N 2,048, d 64, fp16; NVIDIA H100 SXM5 80 GB"."""
        return self._core.shape

    @property
    def tiles(self):
        """The tiles, Br x Bc: "128 x 64"."""
        return self._core.tiles

    @property
    def notes(self):
        """Names that were taken for others, a sentence each."""
        return list(self._core.notes)

    def why(self, path):
        """Derives one number, named by its path: run.why("time.microseconds"). run.paths() names all."""
        return Derivation(self._core.why(path), path)

    def paths(self):
        """Returns every path that why() takes."""
        return self._core.paths()

    @property
    def listing(self):
        """The source of the kernels with the pipe and the bytes of each line."""
        return Listing(self)

    def trace(self, path, cta=None):
        """Writes a trace of one CTA of each kernel: .pftrace (https://ui.perfetto.dev), .json (Chrome), .csv or .txt.

        cta: (batch, head, row block, column block), from 0; None: the last row of the first head.
        """
        path = os.fspath(path)
        written = _core.trace(self._core, os.path.splitext(path)[1], cta)
        with open(path, "wb") as file:
            file.write(written)

    def __repr__(self):
        words = (f"tile traffic {size(self.tile_traffic.total_bytes)}", f"HBM traffic {size(self.hbm_traffic.bytes)}",
                 f"memory {size(self.memory.peak_hbm_bytes)}", f"time {_core.text_in('microseconds', self.time.microseconds)}",
                 f"bound by {self.time.bound_by}")
        return f"{self.scenario.algorithm}, {self.scenario.pass_}: {', '.join(words)}"

    def _repr_html_(self):
        return run_html(self)


class Derivation(Values):
    """How a number comes about: formula, and the terms that sum to it."""

    def __repr__(self):
        terms = [f"  {term.where}: {term.each:,} x {term.times:,} = {term.total:,}  {term.what}" for term in self.terms]
        return "\n".join([f"{self.path} = {self.value} {self.unit}", *(f"  {line}" for line in self.formula), *terms])


def size(count):
    return _core.text_in("bytes", count)


def simulate(**options):
    """Simulates one algorithm: bytes by tensor and line, memory, FLOPs and time. The options are those of the scenario."""
    return Run(_core.simulate(option_texts(options)))


def why(path, **options):
    """Derives one number of a scenario, named by its path in the JSON."""
    return simulate(**options).why(path)
