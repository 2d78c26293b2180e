// Small roofline: the device's roofs, this run and standard attention. A click opens the large one.
#include "sim/report/numbers.h"
#include "viz/model/center_view.h"
#include "viz/panels/panels.h"
#include "viz/panels/roofline/marks.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/canvas_paper.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr float least_with_names = 180;  // CSS pixels

/// Draws the values of the roofs, on the left.
void draw_words(View& view, ui::Rect column, const sim::Roofs& roofs) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  ui::Space rest(column);
  canvas.text(rest.top(view.px(18), view.px(3)), ui::Style::caption, theme.muted, view.say("Roofline"));
  canvas.text(rest.bottom(view.px(16)), ui::Style::caption, theme.muted, view.say("FLOP per byte"));
  canvas.text(rest.top(view.px(17)), ui::Style::caption, theme.text, report::flop_rate(roofs.matrix_peak));
  canvas.text(rest.top(view.px(17)), ui::Style::caption, theme.text, report::byte_rate(roofs.hbm));
}

/// Draws the chart. Names kernels if it is high, and says the run's rate if it is wide.
void draw_marks(View& view, ui::Rect place, std::vector<RooflineMark> marks, const sim::Roofs& roofs, bool wide) {
  const bool one = view.subject().simulation().kernels.size() == 1;
  name_marks(view, marks);
  for (RooflineMark& mark : marks) {
    const std::string label(algorithm_label(view, mark.label));
    if (mark.kernel < 0) mark.names = {label};
    if (mark.kernel < 0 && !mark.standard && wide)
      mark.names = {sim::text(label, "  ", report::flop_rate(mark.point.achieved())), label};
    if (mark.kernel >= 0 && (one || place.height < view.px(least_with_names))) mark.names.clear();
  }
  ui::CanvasPaper paper(view.canvas(), place.inset(-view.px(14), 0));
  draw_chart(paper, draw::roofline_chart(roofs, marks, {}, place, false));
}

void draw_roofline_tooltip(View& view, const std::vector<RooflineMark>& marks, const sim::Roofs& roofs) {
  const sim::Scenario& scenario = view.subject().scenario();
  std::vector<std::string> lines = {view.say("Roofline of {} in {}", scenario.gpu->name, sim::name_of(scenario.dtype))};
  for (const RooflineMark& mark : marks) {
    if (mark.kernel < 0) describe_mark(view, mark, roofs, lines);
  }
  lines.emplace_back(view.say("Click to see it large, with every kernel"));
  draw_tooltip(view, lines);
}

}  // namespace

void draw_roofline(View& view, ui::Rect rect) {
  ui::panel(view.canvas(), rect);
  const ui::Hit h = ui::hit(view.ui, view.id("roofline"), rect);
  if (h.hovered) view.canvas().stroke(rect, view.theme().faint, view.px(1), view.px(ui::card_radius));
  if (h.clicked) view.set([&](Look& look) { show_center(look, Center::roofline); });
  const sim::Roofs roofs = roofs_of(view.subject());
  const std::vector<RooflineMark> marks = roofline_marks(view.subject());
  ui::Space rest(rect.inset(view.px(14), view.px(9)));
  const bool wide = rest.width() > view.px(280) && rest.height() > view.px(75);
  if (wide) {
    draw_words(view, rest.left(view.px(96)), roofs);
  } else {
    view.canvas().text(rest.top(view.px(20)), ui::Style::caption, view.theme().muted, view.say("Roofline"));
  }
  rest.bottom(view.px(16));
  rest.right(view.px(8));  // half of the last number
  draw_marks(view, rest.rest(), marks, roofs, wide);
  if (h.hovered) draw_roofline_tooltip(view, marks, roofs);
}

}  // namespace explorer
