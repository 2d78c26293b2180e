"""Compares a program with its kernel: verify()."""
import json
import subprocess

from . import _core
from .arguments import is_flag, one_of, option_texts
from .html import escaped, page, table
from .places import how_to_build, program
from .signatures import takes_scenario
from .values import Error, Values, frame_of


class Verification(Values):
    """Results of a kernel and the program: rows of quantity, simulated, measured, tolerance, ok; ok if all are."""

    def frame(self):
        """Returns a pandas.DataFrame with the rows."""
        return frame_of(self.dict()["rows"])

    def __bool__(self):
        return self.ok

    def _words(self):
        rows = self.rows
        wrong = [row.quantity for row in rows if not row.ok]
        return (f"{self.device}: {'agrees' if self.ok else 'differs'} in {len(rows)} rows"
                if not wrong else f"{self.device}: {len(wrong)} of {len(rows)} rows differ: {', '.join(wrong[:5])}")

    def __repr__(self):
        return self._words()

    def _repr_html_(self):
        header, *rows = _core.verdict_table(json.dumps(self.dict()["rows"]))
        return page(f"<p>{escaped(self._words())}</p>", '<div style="overflow:auto;max-height:420px">',
                    table(header, [[escaped(cell) for cell in row] for row in rows]), "</div>")


@takes_scenario
def verify(device=None, kernel=None, schedules=None, **options) -> "Verification":
    """Runs the program flashscope-kernels: the CUDA kernel next to the program, on the emulated device or a GPU.

    device: "emulated" (the usual one), "cuda", "auto" or "recorded". kernel: a family of kernels, such as "flash2". schedules:
    number of extra runs with random schedules. What differs is in the rows; errors are raised.
    """
    path = program("flashscope-kernels")
    if path is None:
        raise Error(f"verify: flashscope-kernels is not built: {how_to_build('flashscope-kernels')}")
    options.update(device=device, kernel=kernel, schedules=schedules)
    words = [word for name, text in option_texts(options).items() for word in words_of(name, text)]
    done = subprocess.run([path, "verify", *words, "--format", "json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: a check failed, which the rows report
        raise Error(done.stderr.strip().removeprefix("error: ") or f"verify: ended with code {done.returncode}")
    return Verification(json.loads(done.stdout))


def words_of(name, text):
    """Returns the command-line words of an option: a flag has no value."""
    if not is_flag(name):
        return [f"--{name}", text]
    return [f"--{name}"] if one_of(name, text, ("0", "1")) == "1" else []
