// Plots: a quantity over an option of the scenario, for every algorithm. Each point is a simulation.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "sim/base/text.h"
#include "sim/report/numbers.h"
#include "viz/draw/chart.h"
#include "viz/model/deep_link.h"
#include "viz/model/plot.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/canvas_paper.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

struct Quantity {
  std::string_view title, path;  ///< on the screen; determines the format of numbers
};
/// Quantities in the order of PlotQuantity.
constexpr std::array<Quantity, plot_quantities> quantities = {{{/*say*/ "Tile traffic", "tile_traffic.bytes"},
                                                               {/*say*/ "HBM traffic", "hbm_traffic.bytes"},
                                                               {/*say*/ "Predicted time", "time.microseconds"},
                                                               {/*say*/ "Peak memory", "memory.peak_hbm_bytes"},
                                                               {/*say*/ "FLOP per byte", "hbm_traffic.intensity"},
                                                               {/*say*/ "Waves of CTAs", "time.kernels.0.waves"},
                                                               {/*say*/ "Arithmetic", "work.matmul_flops"}}};

void choose_quantity(View& view, ui::Space& line) {
  std::array<std::string_view, plot_quantities> titles;
  for (std::size_t n = 0; n < plot_quantities; ++n) titles[n] = view.say(quantities[n].title);
  const auto chosen = static_cast<int>(view.state.look.plot);
  const ui::Rect place = line.left(ui::drop_down_width(view.canvas(), "", titles));
  const int next = ui::drop_down(view.ui, view.id("plot"), place, "", titles, chosen, link_words("plot"));
  if (next != chosen) view.set([&](Look& look) { look.plot = static_cast<PlotQuantity>(next); });
}

void choose_axis(View& view, ui::Space& line) {
  std::vector<std::string_view> names, letters;
  int chosen = 0;
  const std::vector<PlotAxis> axes = plot_axes_of(view.subject().scenario());
  for (const PlotAxis& axis : axes) {
    if (axis.option == view.state.look.over) chosen = static_cast<int>(names.size());
    names.push_back(axis.option);
    letters.push_back(view.say(axis.letter));
  }
  const std::string_view label = view.say("over");
  const ui::Rect place = line.left(ui::drop_down_width(view.canvas(), label, letters));
  const int next = ui::drop_down(view.ui, view.id("over"), place, label, letters, chosen, names);
  if (next != chosen) view.set([&](Look& look) { look.over = axes[static_cast<std::size_t>(next)].option; });
}

void choose_scale(View& view, ui::Space& line) {
  const std::string_view label = view.say("log");
  toggle(view, "axes", line.left(ui::toggle_width(view.canvas(), label) + view.px(2)), label, "axes");
}

/// Draws the switch for formulas, of approximate attention over N, of a projection over the batch, if it fits.
void choose_formulas(View& view, ui::Space& line) {
  const std::string_view label = view.say("formulas");
  const float width = ui::toggle_width(view.canvas(), label) + view.px(2);
  if (!has_formulas(view.state.look.over) || width > line.width()) return;
  toggle(view, "formulas", line.left(width), label, "formulas");
}

// The chart.

constexpr float left_gutter = 66, below_chart = 26;  // CSS pixels

/// "100.0 MB" -> "100 MB"
std::string without_zeros(std::string text) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return text;
  std::size_t end = point + 1;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  std::size_t keep = end;
  while (keep > point + 1 && text[keep - 1] == '0') --keep;
  if (keep == point + 1) keep = point;
  return text.erase(keep, end - keep);
}

/// A value of the axis as text: "4,096"; SRAM in "64 KiB".
std::string value_text(const PlotAxis& axis, std::int64_t value) {
  return axis.option == "sram" ? without_zeros(report::kibibytes(value)) : report::thousands(value);
}

std::string_view line_label(const View& view, const PlotLine& line) {
  return line.projection ? view.say(line.name()) : algorithm_label(view, line.name());
}

/// The n-th value of a line; empty if it is impossible or not simulated yet.
std::optional<double> value_at(const PlotLine& line, std::size_t n, std::size_t quantity) {
  if (n >= line.points.size() || !line.points[n].values || (*line.points[n].values)[quantity] < 0) return {};
  return (*line.points[n].values)[quantity];
}

/// A line of the chart: the current one is solid; each other algorithm always has the same dashes and marks.
draw::Series series_of(const View& view, const Plot& plot, const PlotLine& line, std::size_t quantity) {
  draw::Series s{{}, {draw::Tone::strong, 2}, draw::Shape::disc, 3.5f, std::string(line_label(view, line))};
  if (line.is_formula()) {
    s.stroke = {draw::Tone::muted, 1.5f, draw::Dash::formula};
    s.shape = draw::Shape::none;
  } else if (!line.current) {  // the first 24 differ: odd shapes meet even dashes from the 13th on
    s.stroke = {draw::Tone::muted, 1.5f, draw::dash_of(1 + line.place % 4)};
    s.shape = draw::shape_of(line.place + line.place / 12);
    s.radius = 3;
  }
  for (std::size_t n = 0; n < plot.values().size(); ++n)
    s.knots.push_back({static_cast<double>(plot.values()[n]),
                       value_at(line, n, quantity).value_or(std::numeric_limits<double>::quiet_NaN())});
  return s;
}

std::int64_t current_value(const View& view, const Plot& plot) {
  return value_on(plot.axis(), view.subject().simulation().plan);
}

/// Axes around all values of the lines, and a chart left of the lines' names, which take at most 40 % of the width.
void make_axes(const View& view, const Plot& plot, std::string_view path, ui::Rect body, draw::Chart& chart) {
  double least = std::numeric_limits<double>::max(), most = 0;
  for (const draw::Series& s : chart.series) {
    for (const draw::Knot& knot : s.knots) {
      if (std::isnan(knot.y)) continue;
      least = std::min(least, knot.y);
      most = std::max(most, knot.y);
    }
  }
  const ui::CanvasPaper paper(view.canvas(), body);
  const float names = std::min(std::ceil(names_width(paper, chart.series)) + 2, std::floor(0.4f * body.width));
  chart.place = {body.x + view.px(left_gutter), body.y + view.px(6), body.width - view.px(left_gutter) - names,
                 body.height - view.px(below_chart + 6)};
  const bool log = view.state.look.log_axes;
  const auto value = [](std::int64_t n) { return static_cast<double>(n); };
  chart.x = draw::make_axis(value(plot.values().front()), value(plot.values().back()), log, chart.place.x,
                            chart.place.right());
  chart.y = draw::make_axis(least, most, log, chart.place.bottom(), chart.place.y);
  chart.x_grid = false;
  chart.names_right = body.right();
  for (const std::int64_t n : plot.values())
    chart.x_ticks.push_back({value(n), value_text(plot.axis(), n), n == current_value(view, plot)});
  for (const double tick : draw::ticks(chart.y, std::max(2, static_cast<int>(chart.place.height / view.px(56)))))
    chart.y_ticks.push_back({tick, without_zeros(number_text(path, tick))});
}

/// Draws the chart, the letter of its axis, and a ring at the current result.
void draw_lines(View& view, const Plot& plot, std::size_t quantity, ui::Rect body, draw::Chart& chart) {
  const auto now = static_cast<double>(current_value(view, plot));
  const double value = quantity_of(view.subject().simulation(), static_cast<PlotQuantity>(quantity));
  if (chart.x.holds(now))
    chart.series.push_back({{{now, chart.y.low}, {now, chart.y.high}}, {draw::Tone::faint, 1, draw::Dash::dotted}});
  ui::CanvasPaper paper(view.canvas(), body);
  draw_chart(paper, chart);
  const draw::Tick& last = chart.x_ticks.back();
  const float half = paper.text_width(draw::Letters::caption, last.text) / 2;
  paper.text({std::max(chart.place.right(), chart.x.place(last.at) + half) + view.px(8),
              chart.place.bottom() + paper.px(chart.numbers_below)},
             draw::Letters::label, draw::Tone::text, view.say(plot.axis().letter), 0);
  if (chart.x.holds(now) && chart.y.holds(value))
    view.canvas().ring(chart.at(now, value), view.px(8), view.theme().strong, view.px(2));
}

/// Draws a vertical line at the n-th value, and a ring on every line.
void draw_crosshair(View& view, const draw::Chart& chart, std::size_t n) {
  const float x = chart.x.place(chart.x_ticks[n].at);
  view.canvas().line({x, chart.place.y}, {x, chart.place.bottom()}, view.theme().muted, view.px(1));
  for (const draw::Series& s : chart.series) {
    if (n >= s.knots.size() || s.name.empty() || std::isnan(s.knots[n].y)) continue;
    view.canvas().ring(chart.at(s.knots[n].x, s.knots[n].y), view.px(6),
                       s.stroke.tone.kind == draw::Tone::muted ? view.theme().muted : view.theme().strong,
                       view.px(1.5f));
  }
}

/// Lines of the tooltip: each algorithm's result at a value, and its ratio to the current one's.
std::vector<std::string> details(const View& view, const Plot& plot, std::size_t quantity, std::size_t n) {
  std::vector<std::string> lines = {
      sim::text(view.say(plot.axis().letter), " = ", value_text(plot.axis(), plot.values()[n]))};
  const std::optional<double> own = value_at(plot.lines().front(), n, quantity);
  for (const PlotLine& line : plot.lines()) {
    if (n >= line.points.size()) continue;
    const std::optional<double> value = value_at(line, n, quantity);
    if (!value && line.is_formula()) continue;
    if (!value) {
      const std::string reason = sim::text(line_label(view, line), ": ", view.translate(line.points[n].reason));
      for (std::string& part : tooltip_lines(view, reason)) lines.push_back(std::move(part));
      continue;
    }
    std::string text = sim::text(line_label(view, line), ": ", number_text(quantities[quantity].path, *value));
    if (!line.current && own && *own > 0) text += ", " + report::ratio(*value / *own);
    lines.push_back(std::move(text));
  }
  return lines;
}

/// Handles the pointer: each value reacts in the part of the plot nearest to it. Returns the one under the pointer.
std::optional<std::size_t> react(View& view, const Plot& plot, const draw::Chart& chart) {
  const std::vector<std::int64_t>& values = plot.values();
  const ui::Rect area = chart.place;
  std::optional<std::size_t> pointed;
  const auto edge = [&](std::size_t n) {  // between values n - 1 and n
    if (n == 0) return area.x;
    if (n == values.size()) return area.right();
    return std::round((chart.x.place(chart.x_ticks[n - 1].at) + chart.x.place(chart.x_ticks[n].at)) / 2);
  };
  for (std::size_t n = 0; n < values.size(); ++n) {
    const ui::Rect strip{edge(n), area.y, edge(n + 1) - edge(n), area.height};
    const ui::Hit h = ui::hit(view.ui, view.id(sim::text("plot/at/", values[n])), strip);
    if (h.clicked) view.edit(SetOptions{options_at(plot.axis(), values[n]), view.index});
    if (h.hovered) pointed = n;
  }
  return pointed;
}

/// Makes the line nearest to the pointer at the n-th value brighter, and its name.
void light_up(draw::Chart& chart, std::size_t n) {
  const float y = ImGui::GetIO().MousePos.y;
  draw::Series* nearest = nullptr;
  const auto away = [&](const draw::Series& s) { return std::abs(chart.y.place(s.knots[n].y) - y); };
  for (draw::Series& s : chart.series) {
    if (!std::isnan(s.knots[n].y) && (nearest == nullptr || away(s) < away(*nearest))) nearest = &s;
  }
  if (nearest == nullptr || nearest->stroke.tone.kind != draw::Tone::muted) return;
  nearest->stroke.tone = draw::Tone::text;
  nearest->stroke.width = 2;
}

/// Draws why the first point is impossible, if no point can be drawn.
void draw_reason(View& view, const Plot& plot, ui::Rect body) {
  const PlotLine& own = plot.lines().front();
  const std::string reason = own.points.empty() ? std::string() : view.translate(own.points.front().reason);
  view.canvas().text(body, ui::Style::body, view.theme().muted, reason, ui::Align::center);
}

/// "1,024 to 2,048: linformer, local": lengths between which formulas fall below the dense one.
std::string crossovers(const View& view, const Plot& plot, std::size_t quantity) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::string_view>> all;
  for (const PlotLine& line : plot.lines()) {
    const auto between = line.family == nullptr ? std::nullopt : plot.crossover(line, quantity);
    if (between) all[*between].push_back(line_label(view, line));
  }
  std::vector<std::string> texts;
  for (const auto& [between, names] : all)
    texts.push_back(view.say("{} to {}: {}", report::thousands(between.first), report::thousands(between.second),
                             sim::joined(names)));
  return sim::joined(texts, " · ");
}

/// "CUDA cores slower from M = 13": where implementations of a projection part, M being the rows of all queries.
std::string projection_note(const View& view, const sim::Plan& plan) {
  constexpr std::int64_t most = 1024;
  const sim::FlatGemm gemm = sim::projection_of(plan);
  const sim::FlatRates rates = sim::flat_rates(*plan.scenario.gpu);
  const auto slower = [&](sim::FlatRows rows) {
    const auto m = sim::first_slower(gemm, rows, sim::FlatRows::padded_to_8, rates, most);
    return view.say("{} slower from M = {}", view.say(sim::name_of(rows)),
                    m ? report::thousands(*m) : sim::text("> ", most));
  };
  return view.say(
      "Dots are the least times of a linear layer (M x {}) ({} x {}), M = batch x queries: a roofline, without latency "
      "and idle SMs. {}, {}.",
      report::thousands(gemm.k), report::thousands(gemm.k), report::thousands(gemm.n),
      slower(sim::FlatRows::cuda_cores), slower(sim::FlatRows::padded_to_64));
}

void draw_note(View& view, const Plot& plot, std::size_t quantity, ui::Rect line) {
  std::string note =
      plot.done()
          ? std::string(view.say("Each point is a simulation. The other algorithms have their kernels' own tiles."))
          : view.say("{} of {} points", plot.simulated(), plot.lines().size() * plot.values().size());
  if (plot.done() && plot.lines().back().projection) note = projection_note(view, view.subject().simulation().plan);
  if (plot.done() && plot.lines().back().family != nullptr) {
    const std::string crossed = crossovers(view, plot, quantity);
    note = crossed.empty()
               ? std::string(view.say("Dots are formulas, time at the roofs of the GPU."))
               : view.say("Dots are formulas, time at the roofs of the GPU. Below dense from N = {}", crossed);
  }
  ui::paragraph(view.canvas(), line, ui::Style::caption, {.color = view.theme().muted}, note);
}

}  // namespace

void draw_plots(View& view, ui::Rect line, ui::Rect body) {
  ui::Space controls(controls_place(view, line, body, 330), view.px(8));
  choose_quantity(view, controls);
  choose_axis(view, controls);
  choose_scale(view, controls);
  choose_formulas(view, controls);
  const Subject& subject = view.subject();
  const bool formulas = view.state.look.formulas;
  const std::tuple key(subject.options, view.state.look.over, formulas);
  const auto& plot = view.world.tasks.get_for<Plot>(view.index, key, subject.options, subject.scenario().gpu,
                                                    view.state.look.over, formulas);
  const auto quantity = static_cast<std::size_t>(view.state.look.plot);
  const bool has_note = formulas && has_formulas(view.state.look.over);
  const float note_lines = !has_note ? 1 : view.state.look.over == plotted_first ? 2 : 3;
  const auto [inside, note] =
      ui::rows(body, 0, {ui::rest(), note_lines * ui::line_step(view.canvas(), ui::Style::caption)});
  draw_note(view, plot, quantity, note);
  draw::Chart chart;
  bool empty = true;
  for (const PlotLine& each : plot.lines()) {
    chart.series.push_back(series_of(view, plot, each, quantity));
    for (const draw::Knot& knot : chart.series.back().knots) empty = empty && std::isnan(knot.y);
  }
  if (empty) return draw_reason(view, plot, inside);
  make_axes(view, plot, quantities[quantity].path, inside, chart);
  if (chart.place.empty()) return;
  const std::optional<std::size_t> pointed = react(view, plot, chart);
  if (pointed) light_up(chart, *pointed);
  draw_lines(view, plot, quantity, inside, chart);
  if (!pointed) return;
  draw_crosshair(view, chart, *pointed);
  draw_tooltip(view, details(view, plot, quantity, *pointed));
}

}  // namespace explorer
