#include "viz/terminal/sweep/chart.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/machine/device_fields.h"
#include "sim/model/validation.h"
#include "sim/report/common_unit.h"
#include "sim/report/numbers.h"
#include "sim/report/quantities.h"
#include "sim/report/run_json.h"
#include "viz/draw/chart.h"
#include "viz/draw/svg_paper.h"
#include "viz/results/axes.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<Json>;

// The first axis, and that of the numbers.

/// True if the numbers are in geometric progression.
bool multiply(const std::vector<double>& values) {
  if (values.size() < 3 || values.front() <= 0) return false;
  const double factor = values[1] / values[0];
  for (std::size_t n = 1; n < values.size(); ++n) {
    if (std::abs(values[n] / values[n - 1] / factor - 1) > 0.01) return false;
  }
  return factor > 1;
}

/// Values of the first axis in order: numbers at their positions, words side by side.
std::vector<draw::Tick> values_of(const results::Axis& axis) {
  std::vector<draw::Tick> ticks;
  const bool whole = axis.kind == sim::OptionKind::whole_number, flag = axis.kind == sim::OptionKind::flag;
  bool numbers = whole || axis.kind == sim::OptionKind::number;
  for (const std::string& text : axis.values) {
    char* rest = nullptr;
    const double value = std::strtod(text.c_str(), &rest);
    numbers = numbers && *rest == '\0';
    const bool long_one = whole && *rest == '\0';
    ticks.push_back({value, long_one      ? report::thousands(std::llround(value))
                            : !flag       ? text
                            : text == "1" ? "yes"
                                          : "no"});
  }
  for (std::size_t n = 0; n < ticks.size() && !numbers; ++n) ticks[n].at = static_cast<double>(n);
  return ticks;
}

draw::Axis axis_of(const std::vector<draw::Tick>& ticks, float begin, float end) {
  constexpr float margin = 14;
  std::vector<double> values;
  for (const draw::Tick& tick : ticks) values.push_back(tick.at);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double one = *least == *most ? 1 : 0;  // a single value is centred
  return {*least - one, *most + one, multiply(values), begin + margin, end - margin};
}

/// An axis of numbers of at least a decade if it is logarithmic: if the first one is, or if they differ much.
draw::Axis axis_of(const std::vector<double>& values, bool prefers_log, float begin, float end) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const bool log = *least > 0 && (prefers_log || *most > 200 * *least);
  return draw::make_axis(log ? std::min(*least, *most / 8) : *least, *most, log, begin, end);
}

// Published times of a sweep's scenarios.

struct PublishedBeside {
  std::size_t at;  ///< index on the first axis
  double microseconds;
  std::string source;
};

/// Key of a scenario, made of its options as text.
std::string key_of(const sim::Scenario& scenario) {
  std::string key;
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (option.asked) key += sim::text_of(option.asked(scenario)) + "\n";
  }
  return key;
}

/// Published times by scenario, those of released code under its tiling rule.
const std::map<std::string, std::vector<const sim::PublishedPoint*>>& times_by_scenario() {
  static const auto* const all = [] {
    auto* times = new std::map<std::string, std::vector<const sim::PublishedPoint*>>;
    for (const sim::PublishedPoint& point : sim::published_points()) {
      if (point.standing >= sim::Standing::ratio || is_factor(point.quantity)) continue;
      sim::Scenario scenario = point.scenario;
      scenario.tiling = sim::scenario_of(point).tiling;
      (*times)[key_of(scenario)].push_back(&point);
    }
    return times;
  }();
  return *all;
}

/// Published, uncontradicted times of the sweep's points; empty unless its number is the predicted time.
std::vector<PublishedBeside> published_beside(const results::Sweep& sweep) {
  std::vector<PublishedBeside> found;
  if (sweep.numbers().front().path != "time.microseconds") return found;
  for (std::int64_t row = 0; row < sweep.rows(); ++row) {
    const auto scenario = sweep.scenario(row);
    const auto at = scenario ? times_by_scenario().find(key_of(*scenario)) : times_by_scenario().end();
    if (at == times_by_scenario().end()) continue;
    for (const sim::PublishedPoint* point : at->second) {
      const sim::Prediction beside = sim::prediction_of(*point, {});
      if (beside.made()) found.push_back({sweep.coordinate(row, 0), beside.published, point->source});
    }
  }
  return found;
}

// Lines and the page.

/// Label of a value: "causal", "not causal", "head-dim 64", the name of a GPU.
std::string words_of(const results::Axis& axis, const Json& value) {
  const std::string text = report::csv_cell(value);
  if (axis.kind == sim::OptionKind::flag) return (value == true ? "" : "not ") + axis.name;
  return axis.kind == sim::OptionKind::name ? text : axis.name + " " + text;
}

/// A line: its name, and its values by index on the first axis.
struct ChartLine {
  std::string name;
  std::vector<std::pair<std::size_t, double>> points = {};
};

std::vector<ChartLine> lines_of(const results::Sweep& sweep, const Rows& rows) {
  const std::string& path = sweep.numbers().front().path;
  std::vector<ChartLine> lines;
  std::map<std::string, std::size_t> known;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    std::string name;
    for (std::size_t a = 1; a < sweep.axes().size(); ++a)
      name += (name.empty() ? "" : ", ") + words_of(sweep.axes()[a], rows[n].at(sweep.axes()[a].name));
    const auto [place, fresh] = known.try_emplace(name, lines.size());
    if (fresh) lines.push_back({name});
    if (rows[n].at(path).is_number())
      lines[place->second].points.emplace_back(sweep.coordinate(static_cast<std::int64_t>(n), 0),
                                               rows[n].at(path).get<double>());
  }
  std::erase_if(lines, [](const ChartLine& line) { return line.points.empty(); });
  return lines;
}

/// Title of a number, capitalised: "Predicted time".
std::string title_of(const results::TableNumber& number) {
  std::string title(sim::trimmed(number.title));
  if (number.title != number.path) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

draw::Series series_of(const results::Sweep& sweep, const ChartLine& line, const std::vector<draw::Tick>& values,
                       double unit, std::size_t which) {
  const results::Axis& axis = sweep.axes().front();
  draw::Series series{{}, {draw::Tone::text, 1.6f, draw::dash_of(which)}, draw::shape_of(which), 3, line.name};
  for (const auto& [at, value] : line.points)
    series.knots.push_back({values[at].at, value / unit,
                            sim::text(line.name, line.name.empty() ? "" : ", ", axis.name, " ", axis.values[at], ": ",
                                      report::text_in(sweep.numbers().front().unit(), value))});
  return series;
}

std::string fixed_options(const results::Sweep& sweep) {
  std::string text;
  for (const auto& [name, value] : sweep.fixed()) text += (text.empty() ? "" : ", ") + name + " " + value;
  return text.empty() ? "All other options at their defaults." : text + ".";
}

/// Throws Error if the lines cannot be drawn, or not be read.
void check(const std::vector<ChartLine>& lines, const results::Sweep& sweep, bool has_rows) {
  const auto first = has_rows ? sweep.scenario(0) : std::nullopt;
  const bool timed = !first || has_time(*first->gpu);
  sim::require(!lines.empty(), "quantity: no row has a number ", sweep.numbers().front().path, " to draw",
               timed ? "" : "; " + sim::why_no_time(*first->gpu));
  sim::require(lines.size() <= most_lines, "format: a chart of ", lines.size(), " lines cannot be read, at most ",
               most_lines, ": sweep fewer values, or use csv");
}

}  // namespace

std::string sweep_svg(const results::Sweep& sweep, const Rows& rows) {
  const results::TableNumber& number = sweep.numbers().front();
  const results::Axis& axis = sweep.axes().front();
  const std::vector<ChartLine> lines = lines_of(sweep, rows);
  check(lines, sweep, !rows.empty());
  const std::vector<PublishedBeside> beside = published_beside(sweep);
  std::vector<double> numbers;
  for (const ChartLine& line : lines) {
    for (const auto& [at, value] : line.points) numbers.push_back(value);
  }
  for (const PublishedBeside& one : beside) numbers.push_back(one.microseconds);
  const report::CommonUnit unit = report::common_unit(number.unit(), numbers);
  for (double& value : numbers) value /= unit.size;

  draw::SvgPaper paper(title_of(number) + " over " + axis.name, fixed_options(sweep), 540);
  draw::Chart chart;
  chart.x_ticks = values_of(axis);
  for (std::size_t n = 0; n < lines.size(); ++n)
    chart.series.push_back(series_of(sweep, lines[n], chart.x_ticks, unit.size, n));
  chart.names = draw::Letters::label;
  chart.place = {84, 96, 692 - std::min(300.f, names_width(paper, chart.series, chart.names)), 374};
  chart.x = axis_of(chart.x_ticks, chart.place.x, chart.place.right());
  chart.y = axis_of(numbers, chart.x.log, chart.place.bottom(), chart.place.y);
  for (const double value : draw::ticks(chart.y, 6)) chart.y_ticks.push_back({value, draw::tick_text(value)});
  chart.x_title = axis.name;
  chart.y_title = title_of(number) + (unit.name.empty() ? "" : ", ") + unit.name;
  chart.names_right = paper.right;
  for (const PublishedBeside& one : beside)
    chart.marks.push_back(
        {chart.x_ticks[one.at].at,
         one.microseconds / unit.size,
         draw::Shape::ring,
         5.5f,
         draw::Tone::text,
         {},
         true,
         sim::text("published: ", report::text_in("microseconds", one.microseconds), ", ", one.source)});
  draw_chart(paper, chart);
  const draw::KeyEntry published[] = {{"published", draw::Shape::ring, draw::Tone::text, 5.5f}};
  if (!beside.empty()) draw_key(paper, {chart.place.x, 524}, paper.right, published);
  return paper.page();
}

}  // namespace terminal
