"""User-defined algorithms: kernels whose bodies are recorded, and the program that they form."""

import inspect
import re
import warnings

from . import _core, fscope
from .cta import Cta
from ._core import Error
from .explorer import programs
from .lists import algorithms
from .mask import NAMES as MASK_NAMES, masks
from .operands import Problem, nearest
from .record import Recorder, other_answers
from .run import simulate
from .score import formula_of, parameters_of
from .source import Place, Source, joined
from .table import code_of
from .verdict import check
from .verbs import GRIDS, TENSORS

_NAME_OF_KERNEL = re.compile(r'(?m)^\[\[kernel\]\]\nname = "(.*)"$')
_MODIFIED = re.compile(r"(?m)^\d+ modify ")
_STORED = re.compile(r"(?m)^\d+ (?:store r\d+|atomic_add r\d+|initialise) (\w+)")  # tensors, in lines of code
MOST_RUNS = 64  # for a body or a list of kernels: answers to six questions


class Kernel:
    """A body with its launch. Bodies are recorded when a program is made from them."""

    def __init__(self, body, launch):
        if not inspect.isfunction(body) or inspect.isgeneratorfunction(body) or inspect.iscoroutinefunction(body):
            raise Error("kernel: the body must be a plain function of cta and p")
        self.body, self.launch = body, launch
        self.name = launch["name"] or body.__name__
        self.inputs, self.outputs, self.scratch = launch["inputs"], launch["outputs"], launch["scratch"]
        self.source = Source(body.__code__.co_filename)
        self.__name__, self.__doc__ = body.__name__, body.__doc__

    def __call__(self, *_):
        raise Error(f"{self.name} is a kernel: a program launches it; what bodies share is a function without @kernel")

    def __repr__(self):
        return f"<kernel {self.name} of {self.source.label}, {self.launch['grid']}>"

    def record(self, when):
        """Returns bodies by answers: [{"when": {"live row": True}, "code": ...}, ...].

        when: answers of the problem for which the kernel is launched. Throws Error with the line of what is wrong.
        """

        def run(answers):
            rec = Recorder(self, answers, when)
            return rec.run(Cta(rec))

        return [dict(when=rec.asked, code=code_of(rec)) for rec in explored(run, self.name)]

    def fields(self, when):
        launch = {name: thing for name, thing in self.launch.items() if name != "name"}
        return {"name": self.name, **launch, "when": when}


def explored(run, what):
    """Runs for all combinations of answers that occur: run(answers) returns an object with .asked."""
    runs, wanted = [], [{}]
    while wanted:
        fixed = wanted.pop(0)
        runs.append(run(fixed))
        wanted += other_answers(fixed, runs[-1].asked)
        if len(runs) + len(wanted) > MOST_RUNS:
            raise Error(f"{what}: the answers to its questions make more than {MOST_RUNS} tables")
    return runs


def kernel(grid="per_row_block", inputs=(), outputs=(), scratch=(), threads=128, round_p="half", prefetches=True,
           tiles_in_flight=1, unfused=False, skips=True, rows="br", cols="bc", name=None):
    """Makes a kernel of a body: @kernel(grid="per_row_block", inputs=["Q", "K", "V"], outputs=["O", "L"]).

    grid: what a CTA takes: per_head, per_row_block, per_tile, per_kv_head, per_column_block. inputs, outputs: tensors
    in memory that are read, and written for later; scratch: both by this kernel alone. threads: of a CTA, warps of 32.
    round_p: "half": products take P in the dtype where it has 16 bits, "never": in fp32. prefetches: copies run ahead
    as far as shared memory allows. tiles_in_flight: of one tensor. unfused: launched as frameworks do. skips: tiles
    that a mask hides are left out. rows, cols: of its blocks, "br" or "1", and "bc", "slice" or "keys".
    """
    launch = dict(grid=grid, inputs=_tensors("inputs", inputs), outputs=_tensors("outputs", outputs),
                  scratch=_tensors("scratch", scratch), threads=threads, round_p=round_p, prefetches=prefetches,
                  tiles_in_flight=tiles_in_flight, unfused=unfused, skips=skips, rows=rows, cols=cols, name=name)
    if grid not in GRIDS:
        raise Error(f"kernel: grid {grid!r}{nearest(str(grid), GRIDS)}")
    for field, words in (("round_p", ("half", "never")), ("rows", ("br", "1")), ("cols", ("bc", "slice", "keys"))):
        if launch[field] not in words:
            raise Error(f"kernel: {field} {launch[field]!r} is none of {', '.join(words)}")
    return lambda body: Kernel(body, launch)


def _tensors(field, names):
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        if name not in TENSORS:
            raise Error(f"kernel: {field}: {name!r}{nearest(str(name), TENSORS)}")
    return names


class _Problem:
    """Questions asked by a function that selects kernels: p.dropout, p.causal, p.masked, p.has_sinks, p.row_fits."""

    def __init__(self, answers):
        self.answers, self.asked = answers, {}

    def ask(self, question):
        return self.asked.setdefault(question, self.answers.get(question, True))

    def error(self, text):
        return Error(f"kernels of the problem: {text}")


def _launched(kernels):
    """Pairs (kernel, when): the kernels in order, each with the answers for which it is launched."""
    if not callable(kernels) or isinstance(kernels, Kernel):
        return [(one, {}) for one in _checked(kernels)]

    def run(answers):
        problem = _Problem(answers)
        problem.kernels = _checked(kernels(Problem(problem)))
        return problem

    runs = explored(run, "kernels of the problem")
    return [pair for one in _ordered(runs) for pair in _answers_of(one, runs)]


def _checked(kernels):
    kernels = [kernels] if isinstance(kernels, Kernel) else list(kernels)
    for one in kernels:
        if not isinstance(one, Kernel):
            raise Error(f"program: {one!r} is not a kernel: put @kernel(...) before the body")
    if len({id(one) for one in kernels}) < len(kernels):
        raise Error("program: a kernel occurs twice")
    return kernels


def _ordered(runs):
    """Merges the kernels of all runs into one order that each run follows."""
    order = []
    for run in runs:
        at = 0
        for one in run.kernels:
            if one in order[:at]:
                raise Error(f"program: {one.name} changes its place among the kernels with the problem")
            if one not in order:
                order.insert(at, one)
            at = order.index(one) + 1
    return order


def _answers_of(one, runs):
    having = [run.asked for run in runs if one in run.kernels]
    common = {name: is_ for name, is_ in having[0].items() if all(asked.get(name) == is_ for asked in having)}
    agreeing = [run for run in runs if all(run.asked.get(name, is_) == is_ for name, is_ in common.items())]
    if len(agreeing) == len(having):
        return [(one, common)]
    return [(one, asked) for asked in having]


class Program:
    """An algorithm of one's own, by its name wherever a built-in one is named. It is forward only.

    text: its .fscope file; mask_mod: its mask, which is not in the file.
    """

    def __init__(self, name, text, mask_mod=None):
        self.name, self.text, self.mask_mod = name, text, mask_mod
        _core.load_program(text, f"{name}.fscope")
        programs[name] = text
        masks.pop(name, None)
        if mask_mod is not None:
            masks[name] = mask_mod

    def __reduce__(self):
        return Program, (self.name, self.text, self.mask_mod)

    def simulate(self, **options):
        """Simulates the program as simulate() does."""
        return simulate(**options, algorithm=self.name)

    def why(self, path, **options):
        """Derives one number, given by its path in the JSON."""
        return self.simulate(**options).why(path)

    def trace(self, path, **options):
        """Writes a trace of one CTA: .pftrace, .json or .json.gz, as `flashscope simulate --trace` does."""
        self.simulate(**options).trace(path)

    def explorer(self, **options):
        """Shows the program in the explorer, in a frame. See explorer()."""
        return self.simulate(**options).explorer()

    def check(self, q, k, v, layout="bhnd", **options):
        """Compares every row of O with attention, or a `reference`, in double. Returns a Verdict. See check()."""
        return check(self, q, k, v, layout, **options)

    @property
    def listing(self):
        """The source with the pipe and the bytes of each line, in the default scenario. A run has its own listing."""
        return self.simulate().listing

    def save(self, path):
        """Writes the program without mask_mod: `flashscope simulate --program mine.fscope` and the explorer open it."""
        if self.mask_mod is not None:
            warnings.warn(f"{path} does not hold the mask_mod of {self.name}: give its mask by options, which a run has in "
                          "run.scenario", stacklevel=2)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.text)

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"<program {self.name}: {', '.join(re.findall(_NAME_OF_KERNEL, self.text))}>"


def program(name, kernels, tiles=None, like="", parts="none", title=None, score_mod=None, mask_mod=None):
    """Makes a program of kernels, which is forward only: program("mine", [forward], tiles=(128, 128)).

    name: of the algorithm, a-z, 0-9 and -, not a built-in's. kernels: in the order in which they are launched, or a
    function of the problem that returns them. tiles: (Br, Bc); without them those of the built-in program `like`, or of
    128 x 128 halved until they fit. parts: copies of O_part and its statistics: "none", "key_blocks", or how many.
    score_mod: a formula that cta.modify(S, i, j) applies to the scores, lambda s: 30 * fs.tanh(s / 30); its parameters
    are names of s, q, k, h, Nq, Nk, d and slope, those that it needs. --softcap, --alibi and --score come after it.
    mask_mod: which keys a query sees, lambda q, k: k <= q, of arrays; a run sets the options of masks that express it.
    """
    if mask_mod is not None:
        parameters_of(mask_mod, MASK_NAMES, "mask_mod", Place(mask_mod))
    return Program(name, record(name, kernels, tiles, like, parts, title, score_mod), mask_mod)


def record(name, kernels, tiles=None, like="", parts="none", title=None, score_mod=None):
    """Returns the .fscope file of a program as text. Arguments are those of program()."""
    if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", name):
        raise Error(f"program: name {name!r} must have 1 to 40 of a-z, 0-9 and -, and not begin with -")
    if name in algorithms().names():
        raise Error(f"program: {name} is a built-in algorithm: give yours another name")
    if like and like not in algorithms().names():
        raise Error(f"program {name}: like: {like!r}{nearest(str(like), algorithms().names())}")
    launched = _launched(kernels)
    if not launched:
        raise Error(f"program {name}: there are no kernels")
    sources = {one.source.filename: one.source for one, _ in launched}
    for one, _ in launched:
        one.source = sources[one.source.filename]
    text = joined(sources.values())
    score = None if score_mod is None else formula_of(score_mod)
    fields = dict(name=name, title=title or name, like=like, tiles=tiles and list(tiles), parts=parts, score=score,
                  file=launched[0][0].source.label, source=text)
    recorded = [(one, when, one.record(when)) for one, when in launched]
    if score is not None and not any(_MODIFIED.search(body["code"]) for *_, bodies in recorded for body in bodies):
        raise Error(f"program {name}: score_mod needs cta.modify(S, i, j) in a body, after cta.scale and before cta.mask")
    _warn_of_outputs(name, recorded)
    return fscope.text_of(fields, [(one.fields(when), bodies) for one, when, bodies in recorded])


def _warn_of_outputs(name, recorded):
    """Warns of outputs that kernels declare, and that no body of them stores."""
    for kernel in {id(one): one for one, _, _ in recorded}.values():
        code = "".join(body["code"] for one, _, bodies in recorded if one is kernel for body in bodies)
        for tensor in kernel.outputs:
            if tensor not in re.findall(_STORED, code):
                warnings.warn(f"program {name}: {kernel.name} declares {tensor} as an output and never stores it", stacklevel=4)
