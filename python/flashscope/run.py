"""One algorithm on one scenario: simulate()."""
import copy
import os

from . import _core
from .arguments import one_of, option_texts, plain, short
from .explorer import explorer, link_of, programs
from .listing import Listing
from .mask import with_mask
from .progress import Bar
from .run_html import run_html
from .signatures import takes_scenario
from .values import Error, Values


class Run(Values):
    """A simulated scenario: every number of `flashscope simulate --format json` as an attribute."""

    def __init__(self, core, tensors=None, texts=None):
        super().__init__(None)
        self._made, self._recipe = core, None
        self._tensors, self._arrays, self._texts = tensors or {}, {}, texts or {}

    @property
    def _core(self):
        """The simulation in C++; that of a run which was pickled is made again when it is needed."""
        if self._made is None:
            self._made = made_again(self._recipe, self._known)
        return self._made

    def __getstate__(self):
        recipe = self._recipe if self._made is None else recipe_of(self._made, self._texts)
        return {**self.__dict__, "_made": None, "_recipe": recipe, "_known": self._tree, "_arrays": dict(self.outputs),
                "_tensors": {}}

    def __deepcopy__(self, memo):
        copied = memo[id(self)] = type(self).__new__(type(self))
        copied.__dict__.update(copy.deepcopy(self.__getstate__(), memo), _made=self._made)  # which nothing changes
        return copied

    def __copy__(self):
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def _read(self):
        return self._core.values()

    @property
    def title(self):
        """Title of the algorithm and the pass: "FlashAttention-2, forward"."""
        return self._core.title

    @property
    def shape(self):
        """Scenario and device as text: "batch 4, heads 32, N 2,048, d 64, fp16; NVIDIA H100 SXM5 80 GB"."""
        return self._core.shape

    @property
    def tiles(self):
        """The tiles, Br x Bc: "128 x 64"."""
        return self._core.tiles

    @property
    def link(self):
        """The link that opens the scenario in the explorer, as options were given: "seqlen=2048&causal=1"."""
        return link_of(self._texts)

    def explorer(self):
        """Shows the scenario in the explorer, in a frame. See explorer()."""
        return explorer(self)

    @property
    def notes(self):
        """Names that were replaced by exact ones, a sentence each."""
        return list(self._core.notes)

    @property
    def outputs(self):
        """The values as numpy arrays in the layout of q: O and, if computed, L (without the last axis), dQ, dK, dV."""
        for name, tensor in self._tensors.items():
            if name not in self._arrays:
                self._arrays[name] = numpy_array(tensor)
        return self._arrays

    def why(self, path):
        """Derives one number, given by its path: run.why("time.microseconds"). run.paths() lists all."""
        return Derivation(self._core.why(path), path)

    def explain(self, measured):
        """Explains a time that you measured for this scenario, all kernels of the pass: run.explain("2.6ms").

        measured: a time with its unit, ns, us, ms or s. Printed it is the text of `--measured`; its attributes are those of
        `measured` in the JSON: bounds.tensor.percent, impossible, says, reached_by.
        """
        if not isinstance(measured, str):
            raise Error(f"measured: {short(measured)} is not a time with its unit, such as \"2.6ms\"")
        return Explained(*self._core.explain(measured))

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
                 f"memory {size(self.memory.peak_hbm_bytes)}", f"time {time(self.time.microseconds)}",
                 f"bound by {self.time.bound_by or '-'}")
        line = f"{self.scenario.algorithm}, {self.scenario.pass_}: {', '.join(words)}"
        return "\n".join([line, *(f"warning: {text}" for text in self.warnings)])

    def _repr_html_(self):
        return run_html(self)


class Derivation(Values):
    """Derivation of a number: a formula, and the terms that sum to it."""

    def __repr__(self):
        terms = [f"  {term.where}: {term.each:,} x {term.times:,} = {term.total:,}  {term.what}" for term in self.terms]
        return "\n".join([f"{self.path} = {self.value} {self.unit}", *(f"  {line}" for line in self.formula), *terms])


class Explained(Values):
    """Meaning of a measured time: the share of each bound that it reaches, and what follows from that alone."""

    def __init__(self, text, tree):
        super().__init__(tree)
        self._text = text

    def __repr__(self):
        return self._text.rstrip("\n")


def recipe_of(core, texts):
    """Returns what makes a simulation again: its options, with files by their names, its program unless it is a built-in
    one, what its values added, and its notes."""
    options = core.options()
    options.update({name: text for name, text in texts.items() if name in options})
    return {"options": options, "program": programs.get(options["algorithm"]), "added": core.added(), "notes": core.notes}


def made_again(recipe, values):
    """Returns a simulation by its recipe. Raises Error unless it has the same values."""
    options, text = recipe["options"], recipe["program"]
    name = options["algorithm"]
    if text is not None and programs.setdefault(name, text) != text:
        raise Error(f"run: another program is called {name} here: the run cannot be made again")
    if text is not None:
        _core.load_program(text, f"{name}.fscope")
    core = _core.made_again(options, *recipe["added"], recipe["notes"])
    differ = [key for key, value in core.values().items() if value != values.get(key)]
    if differ:
        raise Error(f"run: made again, its {differ[0]} is another one: a file that it names, or FlashScope, has changed")
    return core


def numpy_array(tensor):
    """Returns an output as an array, of float16 if the run has that dtype; raises Error without numpy."""
    try:
        import numpy
    except ImportError:
        raise Error("outputs: needs numpy: apt-get install python3-numpy, or pip install numpy") from None
    return numpy.asarray(tensor).astype(tensor.dtype, copy=False)


def time(microseconds):
    return "-" if microseconds is None else _core.text_in("microseconds", microseconds)


def size(count):
    return "-" if count is None else _core.text_in("bytes", count)


@takes_scenario
def simulate(q=None, k=None, v=None, d_o=None, layout="bhnd", numerics=None, progress=True, **options) -> "Run":
    """Simulates one algorithm: bytes by tensor and line, memory, FLOPs and time. The options are those of the scenario.

    q, k, v, d_o: inputs, (N, d), (heads, N, d) or (batch, heads, N, d), with layout="bnhd" (batch, N, heads, d): numpy
    arrays or tensors on the CPU, of float16, bfloat16, float32 or float64. They are read once, rounded to dtype; sizes are
    taken from them, and what is missing is drawn. Then, or with numerics=True, values are computed and checked against
    double precision: run.check, run.outputs["O"].
    """
    arrays = [q, k, v, d_o]
    texts = with_mask(option_texts(options), arrays=arrays, layout=layout)
    if not wants_values(arrays, numerics, layout):
        return Run(_core.simulate(texts), None, texts)
    return Run(*with_values("values", progress, lambda show: _core.simulate_values(texts, arrays, layout, show)), texts)


LAYOUTS = "bhnd", "bnhd"


def wants_values(arrays, numerics, layout):
    """Returns whether values are computed: with arrays, or if numerics is on. Raises Error for an unknown layout."""
    one_of("layout", layout, LAYOUTS)
    numerics = plain(numerics)
    if not isinstance(numerics, bool) and numerics is not None:
        numerics = one_of("numerics", numerics, ("on", "off")) == "on"
    given = any(array is not None for array in arrays)
    if given and numerics is False:
        raise Error("numerics: off, but arrays are given")
    return given or bool(numerics)


def with_values(what, progress, compute):
    """Returns compute(show) with a progress bar. Its errors name arrays by their Python keywords."""
    try:
        with Bar(what, progress) as bar:
            return compute(bar.show)
    except Error as error:
        raise Error(in_keywords(str(error))) from None


def in_keywords(text):
    """Returns an error about inputs with their Python keywords."""
    for name, keyword in (("input-do", "d_o"), ("input-q", "q"), ("input-k", "k"), ("input-v", "v")):
        text = text.replace(name, keyword)
    return text


@takes_scenario
def why(path, **options) -> "Derivation":
    """Derives one number of a scenario, named by its path in the JSON."""
    return simulate(**options).why(path)
