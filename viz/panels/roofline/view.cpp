// Large roofline: every kernel at both memory levels, and the numbers as `flashscope compare` prints them.
#include <array>
#include <cmath>
#include <limits>

#include "sim/report/numbers.h"
#include "viz/panels/panels.h"
#include "viz/panels/roofline/plot.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/steady.h"

namespace explorer {
namespace {

using Marks = std::vector<RooflineMark>;

std::string label_of(const View& view, const RooflineMark& mark) {
  const bool one = view.subject().simulation().kernels.size() == 1;
  return mark.kernel >= 0 || mark.standard || one ? std::string(algorithm_label(view, mark.label))
                                                  : view.say("all of {}", algorithm_label(view, mark.label));
}

/// Marks to show. For a run of one kernel, only the whole run, which is the same point.
Marks shown_marks(const View& view) {
  Marks marks = roofline_marks(view.subject());
  if (view.subject().simulation().kernels.size() == 1)
    std::erase_if(marks, [](const RooflineMark& mark) { return mark.kernel >= 0; });
  return marks;
}

constexpr float left_margin = 52, top_margin = 18, bottom_margin = 36;  // CSS pixels around the plot

std::string tick_text(double tick) { return tick < 1 ? sim::text(tick) : report::thousands(std::llround(tick)); }

/// Draws grid lines with their numbers: FLOP/B below, TFLOP/s on the left.
void draw_grid(View& view, const RooflinePlot& plot, ui::Rect whole) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const ui::Rect in = plot.place;
  for (const double tick : ticks_of(plot.x, 4)) {
    const float x = plot.x.at(tick), half = view.px(24);
    canvas.line({x, in.y}, {x, in.bottom()}, theme.border, view.px(1));
    if (x < in.x + view.px(12)) continue;  // the other axis has its numbers there
    canvas.text({x - half, in.bottom() + view.px(2), 2 * half, view.px(16)}, ui::Style::caption, theme.muted,
                tick_text(tick), ui::Align::center);
  }
  for (const double tick : ticks_of(plot.y, 10)) {
    const float y = plot.y.at(tick);
    canvas.line({in.x, y}, {in.right(), y}, theme.border, view.px(1));
    canvas.text({whole.x, y - view.px(8), in.x - whole.x - view.px(8), view.px(16)}, ui::Style::caption, theme.muted,
                tick_text(tick * 1e-12), ui::Align::right);
  }
  canvas.text({whole.x, whole.y, in.width, view.px(16)}, ui::Style::caption, theme.muted, "TFLOP/s");
  canvas.text({in.x, in.bottom() + view.px(18), in.width, view.px(16)}, ui::Style::caption, theme.muted,
              view.say("arithmetic intensity in FLOP/B"), ui::Align::right);
}

/// Draws a dotted line from a ridge down to the axis.
void draw_ridge(View& view, const RooflinePlot& plot, double bandwidth) {
  const ui::Point ridge = plot.ridge(bandwidth);
  const float step = view.px(6);
  for (float y = ridge.y; y < plot.place.bottom(); y += step) {
    view.canvas().fill({ridge.x, y, view.px(1), step / 2}, view.theme().faint);
  }
}

void draw_roofs(View& view, const RooflinePlot& plot, PlotLabels& labels) {
  const ui::Theme& theme = view.theme();
  if (plot.roofs.has_l2()) draw_ridge(view, plot, plot.roofs.l2);
  draw_ridge(view, plot, plot.roofs.hbm);
  if (plot.roofs.has_l2()) draw_roof(view, plot, plot.roofs.l2, theme.muted, view.px(1));
  draw_roof(view, plot, plot.roofs.hbm, theme.text, 1.5f * view.canvas().fonts().scale);
  const auto along = [&](double bandwidth, float part) {
    const ui::Point from = plot.slope_begin(bandwidth), to = plot.ridge(bandwidth);
    return ui::Point{from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
  };
  if (plot.roofs.has_l2())
    labels.draw_far(along(plot.roofs.l2, 0.45f), view.say("L2 {}", report::byte_rate(plot.roofs.l2)), theme.muted);
  labels.draw_far(along(plot.roofs.hbm, 0.3f), view.say("HBM {}", report::byte_rate(plot.roofs.hbm)), theme.text);
  const std::string rate = report::flop_rate(plot.roofs.matrix_peak);
  const ui::Rect above{plot.place.x, plot.y.at(plot.roofs.matrix_peak) - view.px(19), plot.place.width, view.px(18)};
  view.canvas().text(above, ui::Style::caption, theme.text,
                     plot.roofs.one_pipe ? view.say("FP32 pipe {}", rate) : view.say("tensor cores {}", rate),
                     ui::Align::right);
}

/// Draws a dot at the intensity in HBM traffic, a ring at that in tile traffic, and a line between them.
void draw_mark(View& view, const RooflinePlot& plot, const RooflineMark& mark, bool pointed) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const ui::Point hbm = plot.at(mark.point.plotted_hbm(), mark.point.level(plot.roofs));
  const ui::Point tile = plot.at(mark.point.tile_intensity(), mark.point.level(plot.roofs));
  const float size = view.px(mark.kernel < 0 ? 5.f : 3.5f), thin = 1.5f * canvas.fonts().scale;
  const ui::Color color = mark.standard ? theme.muted : theme.strong;
  canvas.line(tile, hbm, ui::mix(theme.card, color, 0.6f), view.px(1));
  canvas.disc(tile, size, theme.card);
  canvas.ring(tile, size, color, thin);
  if (mark.point.hbm_counted) canvas.disc(hbm, size, color);
  if (pointed) canvas.ring(hbm, size + view.px(4), color, thin);
}

/// Mark nearest to the pointer, at most 24 CSS pixels away; -1 if there is none.
int mark_under(const View& view, const RooflinePlot& plot, const Marks& marks) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  int nearest = -1;
  float least = view.px(24);
  for (std::size_t n = 0; n < marks.size(); ++n) {
    for (const double intensity : {marks[n].point.plotted_hbm(), marks[n].point.tile_intensity()}) {
      const ui::Point at = plot.at(intensity, marks[n].point.level(plot.roofs));
      const float distance = ui::steady::length(at.x - mouse.x, at.y - mouse.y);
      if (distance >= least) continue;
      least = distance;
      nearest = static_cast<int>(n);
    }
  }
  return nearest;
}

/// Draws the labels. Marks at the same point share one, with at most two names.
void draw_labels(View& view, const RooflinePlot& plot, const Marks& marks, PlotLabels& labels) {
  std::vector<bool> named(marks.size());
  const auto place = [&](std::size_t n) {
    return plot.at(marks[n].point.plotted_hbm(), marks[n].point.level(plot.roofs));
  };
  for (std::size_t n = 0; n < marks.size(); ++n) {
    if (named[n]) continue;
    std::string label = label_of(view, marks[n]);
    int others = 0;
    for (std::size_t other = n + 1; other < marks.size(); ++other) {
      const float apart = ui::steady::length(place(n).x - place(other).x, place(n).y - place(other).y);
      if (apart > view.px(4) || marks[other].kernel < 0) continue;
      named[other] = true;
      if (++others == 1) label += ", " + label_of(view, marks[other]);
    }
    if (others > 1) label = view.say("{} and {} more", label, others - 1);
    labels.draw_far(place(n), label, marks[n].standard ? view.theme().muted : view.theme().text);
  }
}

void draw_plot(View& view, ui::Rect whole, const Marks& marks, int pointed) {
  ui::Rect in = whole;
  ui::cut_left(in, view.px(left_margin));
  ui::cut_top(in, view.px(top_margin));
  ui::cut_bottom(in, view.px(bottom_margin));
  const sim::Roofs roofs = roofs_of(view.subject());
  const RooflinePlot plot = make_roofline_plot(roofs, marks, in, true);
  const ui::Hit h = ui::hit(view.ui, view.id("roofline/plot"), in);
  if (h.hovered) pointed = mark_under(view, plot, marks);
  draw_grid(view, plot, whole);
  PlotLabels labels(view, plot);
  for (const RooflineMark& mark : marks) {
    const ui::Point hbm = plot.at(mark.point.plotted_hbm(), mark.point.level(plot.roofs));
    const ui::Point tile = plot.at(mark.point.tile_intensity(), mark.point.level(plot.roofs));
    labels.avoid(hbm);
    labels.avoid(tile);
    labels.avoid(tile, hbm);
  }
  draw_roofs(view, plot, labels);
  draw_labels(view, plot, marks, labels);
  for (std::size_t n = 0; n < marks.size(); ++n) draw_mark(view, plot, marks[n], static_cast<int>(n) == pointed);
  if (!h.hovered || pointed < 0) return;
  std::vector<std::string> lines = {label_of(view, marks[static_cast<std::size_t>(pointed)])};
  describe_mark(view, marks[static_cast<std::size_t>(pointed)], roofs, lines);
  draw_tooltip(view, lines);
}

void draw_legend(View& view, ui::Rect row) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  ui::cut_left(row, view.px(left_margin));
  canvas.disc(ui::cut_left(row, view.px(10)).center(), view.px(3.5f), theme.strong);
  ui::cut_left(row, view.px(6));
  ui::cut_left(row, canvas.text(row, ui::Style::caption, theme.muted, view.say("HBM traffic")) + view.px(18));
  canvas.ring(ui::cut_left(row, view.px(10)).center(), view.px(3.5f), theme.strong, 1.5f * canvas.fonts().scale);
  ui::cut_left(row, view.px(6));
  canvas.text(row, ui::Style::caption, theme.muted, view.say("tile traffic, all of which passes the L2"));
}

/// A column of the table: its heading, and the last part of a kernel's path, if the number has one.
struct Column {
  std::string_view heading, leaf;
  float width;  // CSS pixels
  double (*value)(const sim::RooflinePoint&, const sim::Roofs&);
  std::string (*text)(double);
};
using Point = const sim::RooflinePoint&;
using Roofs = const sim::Roofs&;
constexpr std::array<Column, 5> columns = {{
    {/*say*/ "HBM traffic", "hbm", 92, [](Point p, Roofs) { return p.hbm_intensity(); }, report::intensity},
    {/*say*/ "tile traffic", "tile", 92, [](Point p, Roofs) { return p.tile_intensity(); }, report::intensity},
    {/*say*/ "achieved", "", 104, [](Point p, Roofs) { return p.achieved(); }, report::flop_rate},
    {/*say*/ "of peak", "", 64, [](Point p, Roofs roofs) { return p.achieved() / p.peak(roofs); }, report::percent},
    {/*say*/ "attainable", "", 104, [](Point p, Roofs roofs) { return p.attainable(roofs); }, report::flop_rate},
}};

/// Draws a number; those of kernels can be clicked for their derivation.
void draw_cell(View& view, ui::Rect cell, const RooflineMark& mark, const Column& column, const sim::Roofs& roofs) {
  const double value = column.value(mark.point, roofs);
  const ui::Color color = mark.standard ? view.theme().muted : view.theme().text;
  cell = cell.inset(view.px(4), 0);
  const int kernel = view.subject().simulation().kernels.size() == 1 && !mark.standard ? 0 : mark.kernel;
  if (kernel < 0 || column.leaf.empty()) {
    view.canvas().text(cell, ui::Style::table, color, column.text(value), ui::Align::right);
    return;
  }
  const std::string path = sim::text("kernels.", kernel, ".intensity.", column.leaf);
  draw_number(view, cell, ui::Style::table, color, path, value, ui::Align::right);
}

/// Draws the table. Returns the row under the pointer, -1 if there is none.
int draw_table(View& view, ui::Rect place, const Marks& marks) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  std::size_t fit = 0;
  for (float rest = place.width - view.px(124); fit < columns.size() && rest >= view.px(columns[fit].width); ++fit)
    rest -= view.px(columns[fit].width);
  ui::Rect head = ui::cut_top(place, view.px(20));
  ui::Rect line = head;
  for (std::size_t c = fit; c-- > 0;) {
    canvas.text(ui::cut_right(line, view.px(columns[c].width)).inset(view.px(4), 0), ui::Style::caption, theme.muted,
                view.say(columns[c].heading), ui::Align::right);
  }
  canvas.line({head.x, head.bottom()}, {head.right(), head.bottom()}, theme.border, view.px(1));
  const float height = view.px(21), content = height * static_cast<float>(marks.size());
  float& kept = view.ui.state.scrolled[view.id("roofline/table")];
  place.height = std::min(content, std::floor(place.height / height) * height);  // no row is cut in half
  kept = ui::begin_scroll(view.ui, view.id("roofline/table"), place, content, kept);
  const float top = place.y - std::round(kept / height) * height;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  int under = -1;
  for (std::size_t n = 0; n < marks.size(); ++n) {
    ui::Rect row{place.x, top + static_cast<float>(n) * height, place.width, height};
    if (ui::common(row, place).contains({mouse.x, mouse.y})) under = static_cast<int>(n);
    if (content > place.height) ui::cut_right(row, view.px(10));
    for (std::size_t c = fit; c-- > 0;) {
      draw_cell(view, ui::cut_right(row, view.px(columns[c].width)), marks[n], columns[c], roofs_of(view.subject()));
    }
    canvas.text(row, ui::Style::caption, marks[n].standard ? theme.muted : theme.text, label_of(view, marks[n]));
  }
  ui::end_scroll();
  return under;
}

}  // namespace

void draw_roofline_view(View& view, ui::Rect line, ui::Rect body) {
  const sim::Roofs roofs = roofs_of(view.subject());
  const sim::Scenario& scenario = view.subject().scenario();
  ui::Canvas& canvas = view.canvas();
  const ui::Color muted = view.theme().muted;
  const std::string device = sim::text(scenario.gpu->name, ", ", sim::name_of(scenario.dtype));
  if (canvas.text_width(ui::Style::caption, device) <= line.width)
    canvas.text(line, ui::Style::caption, muted, device, ui::Align::right);
  const Marks marks = shown_marks(view);
  const float rows = view.px(21) * static_cast<float>(marks.size()) + view.px(21);
  canvas.text(ui::cut_bottom(body, view.px(17)), ui::Style::caption, muted,
              view.say("The roofs know neither exponentials nor instruction issue nor shared memory."));
  canvas.text(ui::cut_bottom(body, view.px(17)), ui::Style::caption, muted,
              view.say("The ridge is at {} of HBM traffic and {} of tile traffic.",
                       report::intensity(roofs.hbm_ridge()), report::intensity(roofs.l2_ridge())));
  ui::cut_bottom(body, view.px(4));
  const ui::Rect table = ui::cut_bottom(body, std::min(rows, 0.45f * body.height));
  ui::cut_bottom(body, view.px(10));
  const ui::Rect legend = ui::cut_bottom(body, view.px(20));
  const int pointed = draw_table(view, table, marks);
  draw_plot(view, body, marks, pointed);
  draw_legend(view, legend);
}

}  // namespace explorer
