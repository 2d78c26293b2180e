// Small roofline: the device's roofs, this run and standard attention. A click opens the large one.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/model/center_view.h"
#include "viz/panels/panels.h"
#include "viz/panels/roofline/plot.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/steady.h"

namespace explorer {
namespace {

constexpr float least_with_names = 180;  // CSS pixels

/// Draws the values of the roofs, on the left.
void draw_words(View& view, ui::Rect column, const sim::Roofs& roofs) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  canvas.text(ui::cut_top(column, view.px(18)), ui::Style::caption, theme.muted, view.say("Roofline"));
  canvas.text(ui::cut_bottom(column, view.px(16)), ui::Style::caption, theme.muted, view.say("FLOP per byte"));
  ui::cut_top(column, view.px(3));
  canvas.text(ui::cut_top(column, view.px(17)), ui::Style::caption, theme.text, report::flop_rate(roofs.matrix_peak));
  canvas.text(ui::cut_top(column, view.px(17)), ui::Style::caption, theme.text, report::byte_rate(roofs.hbm));
}

void draw_ticks(View& view, const RooflinePlot& plot, float below) {
  ui::Canvas& canvas = view.canvas();
  for (const double tick : ticks_of(plot.x, 4)) {
    const float x = plot.x.at(tick), half = view.px(20);
    canvas.line({x, plot.place.y}, {x, plot.place.bottom()}, view.theme().border, view.px(1));
    const std::string text = tick < 1 ? sim::text(tick) : report::thousands(std::llround(tick));
    const float width = canvas.text_width(ui::Style::caption, text);
    if (x - width / 2 < plot.place.x || x + width / 2 > plot.place.right()) continue;
    canvas.text({x - half, plot.place.bottom(), 2 * half, below}, ui::Style::caption, view.theme().faint, text,
                ui::Align::center);
  }
}

/// Draws names of the kernels; kernels at the same point share a label.
void draw_kernel_names(View& view, const RooflinePlot& plot, const std::vector<RooflineMark>& marks,
                       PlotLabels& labels) {
  std::vector<std::pair<ui::Point, std::string>> names;
  for (const RooflineMark& mark : marks) {
    if (mark.kernel < 0) continue;
    const ui::Point at = plot.at(mark.point.plotted_hbm(), mark.point.level(plot.roofs));
    const auto same = std::find_if(names.begin(), names.end(), [&](const auto& other) {
      return ui::steady::length(at.x - other.first.x, at.y - other.first.y) <= view.px(4);
    });
    if (same == names.end())
      names.emplace_back(at, algorithm_label(view, mark.label));
    else
      same->second += sim::text(", ", algorithm_label(view, mark.label));
  }
  for (const auto& [at, name] : names) labels.draw_far(at, name, view.theme().muted);
}

void draw_marks(View& view, const RooflinePlot& plot, const std::vector<RooflineMark>& marks, bool rates) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  PlotLabels labels(view, plot);
  const auto place = [&](const RooflineMark& m) { return plot.at(m.point.plotted_hbm(), m.point.level(plot.roofs)); };
  const bool names = plot.place.height >= view.px(least_with_names);
  for (const RooflineMark& mark : marks) {
    if (mark.kernel < 0 || names) labels.avoid(place(mark));
  }
  for (const RooflineMark& mark : marks) {  // the shorter label first: it leaves more space
    if (mark.standard) labels.draw(place(mark), std::string(algorithm_label(view, mark.label)), theme.muted);
  }
  const std::size_t kernels = view.subject().simulation().kernels.size();
  for (const RooflineMark& mark : marks) {
    const ui::Point at = place(mark);
    if (mark.kernel >= 0) {
      if (kernels > 1) canvas.disc(at, view.px(2), ui::mix(theme.card, theme.strong, 0.5f));
    } else if (mark.standard) {
      canvas.disc(at, view.px(3.5f), theme.card);
      canvas.ring(at, view.px(3.5f), theme.muted, 1.5f * canvas.fonts().scale);
    } else {
      const std::string rate = report::flop_rate(mark.point.achieved());
      const std::string label(algorithm_label(view, mark.label));
      const bool said = rates && labels.draw_far(at, sim::text(label, "  ", rate), theme.text);
      if (!said) labels.draw_far(at, label, theme.text);
      canvas.disc(at, view.px(4.5f), theme.strong);
    }
  }
  if (kernels > 1 && names) draw_kernel_names(view, plot, marks, labels);
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
  ui::Rect rest = rect.inset(view.px(14), view.px(9));
  const bool wide = rest.width > view.px(280) && rest.height > view.px(75);
  if (wide) {
    draw_words(view, ui::cut_left(rest, view.px(96)), roofs);
  } else {
    view.canvas().text(ui::cut_top(rest, view.px(20)), ui::Style::caption, view.theme().muted, view.say("Roofline"));
  }
  const float below = view.px(16);
  ui::cut_bottom(rest, below);
  const RooflinePlot plot = make_roofline_plot(roofs, marks, rest, false);
  draw_ticks(view, plot, below);
  if (roofs.has_l2()) draw_roof(view, plot, roofs.l2, view.theme().faint, view.px(1));
  draw_roof(view, plot, roofs.hbm, view.theme().muted, 1.5f * view.canvas().fonts().scale);
  draw_marks(view, plot, marks, wide);
  if (h.hovered) draw_roofline_tooltip(view, marks, roofs);
}

}  // namespace explorer
