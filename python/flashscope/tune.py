"""The best tiles of a scenario, and the error of predicted times: tune(), validate()."""
from . import _core
from .arguments import option_texts, whole_number
from .html import escaped, page, size, table, time
from .mask import with_mask
from .progress import Bar
from .signatures import takes_scenario
from .values import Values, frame_of


class Tuning(Values):
    """The tilings that fit, best first: best, ranked, larger (what binds), kernel_rule, paper_rule."""

    def frame(self):
        """Returns a pandas.DataFrame with a row for each tiling shown, best first."""
        return frame_of(self.dict()["ranked"])

    def _rows(self):
        return [[f"{tiles.br} x {tiles.bc}", size(tiles.tile_traffic_bytes), size(tiles.hbm_traffic_bytes), time(tiles.microseconds),
                 _core.text_in("KiB", tiles.smem_bytes), str(tiles.ctas_per_sm)] for tiles in self.ranked]

    def __repr__(self):
        lines = ["  ".join(cell.rjust(11) for cell in row) for row in (HEADER, *self._rows())]
        return "\n".join(lines + self._binds())

    def _binds(self):
        return [f"larger, {larger.step}{': ' if larger.fits else ' does not fit: '}{larger.outcome}" for larger in self.larger] + [
            f"warning: {text}" for text in self.warnings]

    def _repr_html_(self):
        binds = "".join(f'<p class="m">{escaped(line)}</p>' for line in self._binds())
        return page(table(HEADER, self._rows()), binds)


HEADER = ["Br x Bc", "tile traffic", "HBM traffic", "time", "SMEM", "CTAs/SM"]


@takes_scenario
def tune(for_="bytes", top=5, progress=True, **options) -> "Tuning":
    """Finds the best tiles of a scenario. for_: "bytes", least tile traffic, or "time"; top: how many tilings to return."""
    top = whole_number("top", top, 1, 1_000_000)
    with Bar("tune", progress) as bar:
        return Tuning(_core.tune(with_mask(option_texts(options)), for_, top, bar.show))


class Validation(Values):
    """Errors of predicted times: groups, fitted, held_out, ratios, contradicted; with points=True every point."""

    def frame(self):
        """Returns a pandas.DataFrame: a row for each point, or without points for each group."""
        return frame_of(self.dict().get("points") or self.dict()["groups"])

    def __repr__(self):
        return "\n".join(f"{name}: {errors.points} times, mean error {errors.mean_error_percent:.1f} %, bias {errors.bias_percent:+.1f} %"
                         for name, errors in (("fitted", self.fitted), ("held out", self.held_out)) if errors.points)


def validate(group=None, points=False) -> "Validation":
    """Compares predicted with published and recorded times. group: only one table or recording; points: return them all."""
    return Validation(_core.validate(group, points))
