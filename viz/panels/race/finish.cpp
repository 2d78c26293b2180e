// Totals of the runs of a race, and their ratios to those of the first.
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/panels/race/race.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"

namespace explorer {
namespace {

using ui::Style;

struct Total {
  std::string_view title, path;
  double (*of_kernel)(const sim::KernelMeters&);  ///< null for the time
};
constexpr std::array<Total, 3> totals = {{{/*say*/ "time", "time.microseconds", nullptr},
                                          {"HBM", "hbm_traffic.bytes", hbm_bytes_of},
                                          {/*say*/ "tiles", "tile_traffic.bytes", tile_bytes_of}}};

double total_of(const Subject& run, const Total& total) {
  return total.of_kernel == nullptr ? run.simulation().microseconds : total_of_run(run, total.of_kernel);
}

/// Ratio of a total to that of the first run, as text; empty for the first.
std::string against_first(const View& view, const Total& total) {
  const double first = total_of(view.world.subject(0), total);
  if (view.index == 0 || first <= 0) return {};
  return ratio_words(view, total_of(view.subject(), total) / first, total.of_kernel == nullptr);
}

/// Columns of the table of totals, such that the names of the runs fit.
struct FinishTable {
  std::vector<ui::Part> columns;
  bool ratios = false;  ///< below the totals
};

FinishTable finish_table(View& view, float width, std::size_t columns, bool ratios) {
  FinishTable table{{}, ratios};
  for (std::size_t n = 0; n < columns; ++n) {
    float widest = view.canvas().text_width(Style::caption, view.say(totals[n].title));
    for (std::size_t run = 0; run < view.world.subjects(); ++run) {
      const View one{view.ui, view, run};
      if (!one.subject().error.empty()) continue;
      widest = std::max(widest, number_width(one, Style::table, totals[n].path, total_of(one.subject(), totals[n])));
      if (ratios) widest = std::max(widest, view.canvas().text_width(Style::caption, against_first(one, totals[n])));
    }
    table.columns.push_back({std::ceil(widest) + view.px(10)});
    width -= table.columns.back().size;
  }
  float names = view.canvas().text_width(Style::control, view.say("At the finish"));
  if (ratios)
    names = std::max(names, view.canvas().text_width(Style::caption, view.say("against {}", first_run(view))));
  for (std::size_t run = 0; run < view.world.subjects(); ++run)
    names = std::max(names, view.canvas().text_width(Style::control, shortest_run_name(view.model, run)));
  return names + view.px(2) <= width ? table : FinishTable{};
}

/// Widest table that fits: ratios take precedence over more columns.
FinishTable widest_table(View& view, ui::Rect rest) {
  const float others = static_cast<float>(view.world.subjects() - 1);
  const bool high = rest.height >= view.px(17) + others * view.px(32);
  for (const bool ratios : {true, false}) {
    for (const std::size_t columns : {3u, 2u, 1u}) {
      if (ratios && !high) continue;
      FinishTable table = finish_table(view, rest.width, columns, ratios);
      if (!table.columns.empty()) return table;
    }
  }
  return {};
}

std::array<ui::Rect, 2> rows_of_cell(const View& view, ui::Rect cell) {
  return ui::rows(cell, 0, {view.px(17), view.px(15)});
}

/// Draws a total of a run, and below it the ratio to the first.
void draw_finish_cell(View& view, ui::Rect cell, const Total& total, bool ratios) {
  const auto [first, second] = rows_of_cell(view, cell);
  draw_number(view, first, Style::table, total.path, total_of(view.subject(), total), ui::Align::right);
  if (!ratios || view.index == 0) return;
  const std::string words = against_first(view, total);
  view.ui.state.shown.emplace(view.id(sim::text("finish/", total.path)), words);
  view.canvas().text(second, Style::caption, view.theme().muted, words, ui::Align::right);
}

/// Draws the name of a run, and below it the run that its ratios refer to.
void draw_finish_name(View& view, ui::Rect cell, bool ratios) {
  const bool reached = view.state.look.run_time >= view.subject().clock->end();
  const auto [line, below] = rows_of_cell(view, cell);
  view.canvas().text(line, Style::control, reached ? view.theme().text : view.theme().muted,
                     run_name_in(view, Style::control, line.width));
  if (!ratios || view.index == 0) return;
  view.canvas().text(below, Style::caption, view.theme().muted, view.say("against {}", first_run(view)));
}

}  // namespace

void draw_race_totals(View& view, ui::Rect place) {
  const auto [top, body] = ui::rows(place, 0, {view.px(20), ui::rest()});
  const FinishTable table = widest_table(view, body);
  std::vector<ui::Part> columns = {ui::rest()};
  columns.insert(columns.end(), table.columns.begin(), table.columns.end());
  const std::vector<ui::Rect> heads = ui::columns(top, 0, columns);
  view.canvas().text(heads[0], Style::control, view.theme().text, view.say("At the finish"));
  for (std::size_t n = 1; n < heads.size(); ++n)
    view.canvas().text(heads[n], Style::caption, view.theme().muted, view.say(totals[n - 1].title), ui::Align::right);
  const auto others = static_cast<float>(view.world.subjects() - 1);
  float row = body.height / (others + 1);
  if (table.ratios) row = std::max(row, view.px(32));
  ui::Space rest(body);
  for (std::size_t n = 0; n < view.world.subjects(); ++n) {
    View one{view.ui, view, n};
    if (!one.subject().error.empty()) continue;
    const ui::Rect line = rest.top(n == 0 ? body.height - others * row : row);  // the first row has no ratios
    const std::vector<ui::Rect> cells = ui::columns(line, 0, columns);
    for (std::size_t cell = 1; cell < cells.size(); ++cell)
      draw_finish_cell(one, cells[cell], totals[cell - 1], table.ratios);
    draw_finish_name(one, cells[0], table.ratios);
  }
}

}  // namespace explorer
