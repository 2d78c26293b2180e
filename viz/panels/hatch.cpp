#include "viz/panels/hatch.h"

namespace explorer {

Hatch hatch_of(sim::Cause cause) {
  switch (cause) {
    case sim::Cause::data:
      return Hatch::dots;
    case sim::Cause::bandwidth:
      return Hatch::horizontal;
    case sim::Cause::barrier:
      return Hatch::vertical;
    case sim::Cause::turn:
      return Hatch::chevrons;
    case sim::Cause::stage:
      return Hatch::squares;
    case sim::Cause::link:
      return Hatch::arrows;
    case sim::Cause::launch:
    case sim::Cause::tail:
      return Hatch::none;
    default:
      return sim::is_work(cause) ? Hatch::none : Hatch::diagonal;
  }
}

void draw_wait(ui::Canvas& canvas, ui::Rect box, Hatch hatch, bool past, std::optional<bool> lit) {
  const ui::Theme& theme = canvas.theme();
  canvas.fill(box, ui::mix(theme.card, theme.track, past || lit.value_or(false) ? 1 : 0.6f));
  const ui::Color lines = ui::mix(theme.card, theme.muted, past ? 0.9f : 0.5f);
  draw_hatch(canvas, box, hatch, !lit ? lines : *lit ? theme.strong : ui::mix(theme.card, lines, 0.25f));
}

}  // namespace explorer
