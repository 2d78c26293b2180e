// Plots: a quantity over an option of the scenario, for every algorithm. Each point is a simulation.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/base/text.h"
#include "sim/report/numbers.h"
#include "viz/model/deep_link.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/panels.h"
#include "viz/panels/roofline/plot_lines.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/paragraph.h"

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

void choose_quantity(View& view, ui::Rect& line) {
  std::array<std::string_view, plot_quantities> titles;
  for (std::size_t n = 0; n < plot_quantities; ++n) titles[n] = view.say(quantities[n].title);
  const auto chosen = static_cast<int>(view.model.look.plot);
  const ui::Rect place = cut_left(line, ui::drop_down_width(view.canvas(), "", titles));
  const int next = ui::drop_down(view.ui, view.id("plot"), place, "", titles, chosen, link_words("plot"));
  if (next != chosen) view.set([&](Look& look) { look.plot = static_cast<PlotQuantity>(next); });
  cut_left(line, view.px(8));
}

void choose_axis(View& view, ui::Rect& line) {
  std::vector<std::string_view> names, letters;
  int chosen = 0;
  const std::vector<PlotAxis> axes = plot_axes_of(view.subject().scenario());
  for (const PlotAxis& axis : axes) {
    if (axis.option == view.model.look.over) chosen = static_cast<int>(names.size());
    names.push_back(axis.option);
    letters.push_back(axis.letter);
  }
  const std::string_view label = view.say("over");
  const ui::Rect place = cut_left(line, ui::drop_down_width(view.canvas(), label, letters));
  const int next = ui::drop_down(view.ui, view.id("over"), place, label, letters, chosen, names);
  if (next != chosen) view.set([&](Look& look) { look.over = axes[static_cast<std::size_t>(next)].option; });
  cut_left(line, view.px(8));
}

void choose_scale(View& view, ui::Rect& line) {
  const std::string_view label = view.say("log");
  const ui::Rect place = cut_left(line, ui::toggle_width(view.canvas(), label) + view.px(2));
  toggle(view, "axes", place, label, "axes");
  cut_left(line, view.px(8));
}

/// Draws the switch for formulas of approximate attention, over N only, if it fits.
void choose_formulas(View& view, ui::Rect& line) {
  const std::string_view label = view.say("formulas");
  const float width = ui::toggle_width(view.canvas(), label) + view.px(2);
  if (view.model.look.over != plotted_first || width > line.width) return;
  toggle(view, "formulas", cut_left(line, width), label, "formulas");
}

/// Lines of the tooltip: each algorithm's result at a value, and its ratio to the current one's.
std::vector<std::string> details(const View& view, const PlotPicture& picture, std::size_t n) {
  const Plot& plot = picture.plot;
  std::vector<std::string> lines = {
      sim::text(plot.axis().letter, " = ", plot_value_text(plot.axis(), plot.values()[n]))};
  const auto value_of = [&](const PlotLine& line) -> std::optional<double> {
    if (n >= line.points.size() || !line.points[n].values) return std::nullopt;
    const double value = (*line.points[n].values)[picture.quantity];
    return value < 0 ? std::nullopt : std::optional(value);
  };
  const std::optional<double> own = value_of(plot.lines().front());
  for (const PlotLine& line : plot.lines()) {
    if (n >= line.points.size()) continue;
    const std::optional<double> value = value_of(line);
    if (!value && line.family != nullptr) continue;
    if (!value) {
      const std::string reason =
          sim::text(algorithm_label(view, line.name()), ": ", view.translate(line.points[n].reason));
      for (std::string& part : tooltip_lines(view, reason)) lines.push_back(std::move(part));
      continue;
    }
    std::string text = sim::text(algorithm_label(view, line.name()), ": ", number_text(picture.path, *value));
    if (!line.current && own && *own > 0) text += ", " + report::ratio(*value / *own);
    lines.push_back(std::move(text));
  }
  return lines;
}

/// Handles the pointer: each value reacts in the part of the plot nearest to it.
void react(View& view, const PlotPicture& picture) {
  const std::vector<std::int64_t>& values = picture.plot.values();
  const ui::Rect area = picture.area;
  const auto edge = [&](std::size_t n) {  // between values n - 1 and n
    if (n == 0) return area.x;
    if (n == values.size()) return area.right();
    return std::round((picture.x_of(values[n - 1]) + picture.x_of(values[n])) / 2);
  };
  for (std::size_t n = 0; n < values.size(); ++n) {
    const ui::Rect strip{edge(n), area.y, edge(n + 1) - edge(n), area.height};
    const ui::Hit h = ui::hit(view.ui, view.id(sim::text("plot/at/", values[n])), strip);
    if (h.clicked) view.edit(SetOptions{options_at(picture.plot.axis(), values[n]), view.index});
    if (!h.hovered) continue;
    draw_crosshair(view, picture, n);
    draw_tooltip(view, details(view, picture, n));
  }
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
    if (between) all[*between].push_back(algorithm_label(view, line.name()));
  }
  std::vector<std::string> texts;
  for (const auto& [between, names] : all)
    texts.push_back(view.say("{} to {}: {}", report::thousands(between.first), report::thousands(between.second),
                             sim::joined(names)));
  return sim::joined(texts, " · ");
}

void draw_note(View& view, const Plot& plot, std::size_t quantity, ui::Rect line) {
  std::string note =
      plot.done()
          ? std::string(view.say("Each point is a simulation. The other algorithms have their kernels' own tiles."))
          : view.say("{} of {} points", plot.simulated(), plot.lines().size() * plot.values().size());
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
  ui::Rect controls = controls_place(view, line, body, 330);
  choose_quantity(view, controls);
  choose_axis(view, controls);
  choose_scale(view, controls);
  choose_formulas(view, controls);
  const Subject& subject = view.subject();
  const bool formulas = view.model.look.formulas;
  const std::tuple key(subject.options, view.model.look.over, formulas);
  const auto& plot = view.model.tasks.get_for<Plot>(view.index, key, subject.options, subject.scenario().gpu,
                                                    view.model.look.over, formulas);
  const auto quantity = static_cast<std::size_t>(view.model.look.plot);
  draw_note(view, plot, quantity,
            cut_bottom(body, view.px(formulas && view.model.look.over == plotted_first ? 36 : 18)));
  const PlotPicture picture = make_plot_picture(view, plot, quantity, quantities[quantity].path, body);
  if (picture.area.empty()) return;
  if (picture.empty) return draw_reason(view, plot, body);
  draw_axes(view, picture);
  draw_lines(view, picture);
  react(view, picture);
}

}  // namespace explorer
