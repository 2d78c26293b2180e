// Large roofline: every kernel at both memory levels, and the numbers as `flashscope compare` prints them.
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/panels.h"
#include "viz/panels/roofline/marks.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/canvas_paper.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using Marks = std::vector<RooflineMark>;

/// Marks to show. For a run of one kernel, only the whole run, which is the same point.
Marks shown_marks(const View& view) {
  Marks marks = roofline_marks(view.subject());
  if (view.subject().simulation().kernels.size() == 1)
    std::erase_if(marks, [](const RooflineMark& mark) { return mark.kernel >= 0; });
  name_marks(view, marks);
  return marks;
}

draw::RoofNames roof_names(const View& view, const sim::Roofs& roofs) {
  const std::string rate = report::flop_rate(roofs.matrix_peak);
  return {view.say("L2 {}", report::byte_rate(roofs.l2)),
          view.say("HBM {}", report::byte_rate(roofs.hbm)),
          roofs.one_pipe ? view.say("FP32 pipe {}", rate) : view.say("tensor cores {}", rate),
          {},
          {}};
}

/// Draws the chart. `pointed`: a mark that the table's row under the pointer is about, -1 if there is none.
void draw_plot(View& view, ui::Rect whole, const Marks& marks, int pointed) {
  constexpr float left = 52, above = 18, below = 40;  // CSS pixels around the plot
  const ui::Rect in{whole.x + view.px(left), whole.y + view.px(above), whole.width - view.px(left),
                    whole.height - view.px(above + below)};
  const sim::Roofs roofs = roofs_of(view.subject());
  const ui::Hit h = ui::hit(view.ui, view.id("roofline/plot"), in);
  draw::Chart chart = draw::roofline_chart(roofs, marks, roof_names(view, roofs), in, true);
  chart.gutter = left;
  chart.x_title = view.say("arithmetic intensity in FLOP/B");
  ui::CanvasPaper paper(view.canvas(), whole.inset(-view.px(14), 0));
  draw_chart(paper, chart);
  if (h.hovered) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto near = nearest_mark(chart, {mouse.x, mouse.y}, view.px(24));
    pointed = near ? static_cast<int>(*near / 2) : -1;  // each has two marks
  }
  if (pointed < 0) return;
  const RooflineMark& mark = marks[static_cast<std::size_t>(pointed)];
  view.canvas().ring(place_in_hbm(chart, roofs, mark), view.px(9),
                     mark.standard ? view.theme().muted : view.theme().strong, 1.5f * paper.scale());
  if (!h.hovered) return;
  std::vector<std::string> lines = {mark_label(view, mark)};
  describe_mark(view, mark, roofs, lines);
  draw_tooltip(view, lines);
}

void draw_legend(View& view, ui::Rect row) {
  const draw::KeyEntry key[] = {
      {std::string(view.say("HBM traffic")), draw::Shape::disc, draw::Tone::strong},
      {std::string(view.say("tile traffic, all of which passes the L2")), draw::Shape::ring, draw::Tone::strong}};
  ui::CanvasPaper paper(view.canvas(), row);
  draw_key(paper, {row.x, row.center().y}, row.right(), key);
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
  const auto [head, body] = ui::rows(place, 0, {view.px(20), ui::rest()});
  canvas.line({head.x, head.bottom()}, {head.right(), head.bottom()}, theme.border, view.px(1));
  const float height = view.px(21), content = height * static_cast<float>(marks.size());
  place = body;
  place.height = std::min(content, std::floor(body.height / height) * height);  // no row is cut in half
  std::vector<ui::Part> parts = {ui::rest(view.px(124))};
  for (const Column& column : columns) parts.push_back(ui::optional(view.px(column.width)));
  parts.push_back(content > place.height ? view.px(10) : 0);  // the scroll bar
  const std::vector<ui::Rect> headings = ui::columns(head, 0, parts);
  for (std::size_t c = 0; c < columns.size(); ++c)
    canvas.text(headings[c + 1].inset(view.px(4), 0), ui::Style::caption, theme.muted, view.say(columns[c].heading),
                ui::Align::right);
  float& kept = view.ui.state.scrolled[view.id("roofline/table")];
  kept = ui::begin_scroll(view.ui, view.id("roofline/table"), place, content, kept);
  const float top = place.y - std::round(kept / height) * height;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  int under = -1;
  for (std::size_t n = 0; n < marks.size(); ++n) {
    const ui::Rect row{place.x, top + static_cast<float>(n) * height, place.width, height};
    if (ui::common(row, place).contains({mouse.x, mouse.y})) under = static_cast<int>(n);
    const std::vector<ui::Rect> cells = ui::columns(row, 0, parts);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!cells[c + 1].empty()) draw_cell(view, cells[c + 1], marks[n], columns[c], roofs_of(view.subject()));
    }
    canvas.text(cells[0], ui::Style::caption, marks[n].standard ? theme.muted : theme.text, mark_label(view, marks[n]));
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
  fitting_text(canvas, line, ui::Style::caption, muted, device, ui::Align::right);
  const Marks marks = shown_marks(view);
  const float rows = view.px(21) * static_cast<float>(marks.size()) + view.px(21), note = view.px(17);
  const float table_height = std::min(rows, 0.45f * (body.height - 2 * note - view.px(4)));
  const auto [plot, legend, above, table, below, ridges, unknown] =
      ui::rows(body, 0, {ui::rest(), view.px(20), view.px(10), table_height, view.px(4), note, note});
  canvas.text(unknown, ui::Style::caption, muted,
              view.say("The roofs know neither exponentials nor instruction issue nor shared memory."));
  canvas.text(ridges, ui::Style::caption, muted,
              view.say("The ridge is at {} of HBM traffic and {} of tile traffic.",
                       report::intensity(roofs.hbm_ridge()), report::intensity(roofs.l2_ridge())));
  const int pointed = draw_table(view, table, marks);
  draw_plot(view, plot, marks, pointed);
  draw_legend(view, legend);
}

}  // namespace explorer
