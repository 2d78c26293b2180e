#include "viz/terminal/sweep/chart.h"

#include <fmt/format.h>

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
#include "viz/results/axes.h"
#include "viz/terminal/svg_page.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<Json>;

// Axes of a chart: linear, logarithmic, or categorical, with their ticks.

/// A mark on an axis.
struct ChartTick {
  double value, pixel;
  std::string text;
};

class ChartAxis {
 public:
  enum class Kind { linear, logarithmic, words };
  ChartAxis(Kind kind, double low, double high, double begin, double end)
      : kind_(kind), low_(low), high_(high), begin_(begin), end_(end) {}

  bool is_logarithmic() const { return kind_ == Kind::logarithmic; }
  double end() const { return end_; }
  double low() const { return low_; }
  double high() const { return high_; }
  /// Pixel of a number; on a categorical axis, of the index of a value.
  double pixel(double value) const;
  /// Pixel of the axis's own value with an index.
  double at(std::size_t which) const { return pixel(values_[which]); }
  const std::vector<ChartTick>& ticks() const { return ticks_; }

  void take_values(const std::vector<double>& values, const std::vector<std::string>& texts);
  void take_ticks(const std::vector<double>& values, double unit);  ///< values in units of this size

 private:
  Kind kind_;
  double low_, high_, begin_, end_;
  std::vector<double> values_;
  std::vector<ChartTick> ticks_;
};

using Kind = ChartAxis::Kind;

/// True if the numbers are in geometric progression.
bool multiply(const std::vector<double>& values) {
  if (values.size() < 3 || values.front() <= 0) return false;
  const double factor = values[1] / values[0];
  for (std::size_t n = 1; n < values.size(); ++n) {
    if (std::abs(values[n] / values[n - 1] / factor - 1) > 0.01) return false;
  }
  return factor > 1;
}

/// The multiples 1, 2 and 5 of powers of ten between two numbers; only the powers over many decades.
std::vector<double> round_numbers(double low, double high) {
  std::vector<double> all;
  const bool few = std::log10(high / low) < 2.5;
  for (int e = static_cast<int>(std::floor(std::log10(low))); e <= static_cast<int>(std::ceil(std::log10(high))); ++e) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10, e);
      if (value >= low && value <= high && (few || digit == 1)) all.push_back(value);
    }
  }
  return all;
}

/// About five round steps from 0.
std::vector<double> steps_to(double high) {
  const double least = high / 6, power = std::pow(10, std::floor(std::log10(least)));
  double step = power;
  for (const double digit : {1.0, 2.0, 5.0, 10.0}) {
    step = digit * power;
    if (step >= least) break;
  }
  std::vector<double> all;
  for (double value = 0; value <= high * (1 + 1e-9); value += step) all.push_back(value);
  return all;
}

double ChartAxis::pixel(double value) const {
  const double part =
      kind_ == Kind::logarithmic ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return begin_ + part * (end_ - begin_);
}

void ChartAxis::take_values(const std::vector<double>& values, const std::vector<std::string>& texts) {
  values_ = values;
  double taken = begin_ - 1e9;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double half = 3.7 * static_cast<double>(texts[n].size()) + 4;
    if (pixel(values[n]) - half < taken) continue;
    ticks_.push_back({values[n], pixel(values[n]), texts[n]});
    taken = pixel(values[n]) + half;
  }
}

void ChartAxis::take_ticks(const std::vector<double>& values, double unit) {
  for (const double value : values) ticks_.push_back({value * unit, pixel(value * unit), fmt::format("{:g}", value)});
}

/// The first axis: its values in order; numbers at their positions.
ChartAxis axis_of_values(const results::Axis& axis, double begin, double end) {
  std::vector<double> values;
  std::vector<std::string> texts = axis.values;
  bool numbers = axis.kind == sim::OptionKind::whole_number || axis.kind == sim::OptionKind::number;
  for (std::string& text : texts) {
    char* rest = nullptr;
    values.push_back(std::strtod(text.c_str(), &rest));
    numbers = numbers && *rest == '\0';
    if (axis.kind == sim::OptionKind::whole_number && *rest == '\0')
      text = report::thousands(std::llround(values.back()));
  }
  if (axis.kind == sim::OptionKind::flag) {
    for (std::string& text : texts) text = text == "1" ? "yes" : "no";
  }
  Kind kind = multiply(values) ? Kind::logarithmic : Kind::linear;
  if (!numbers) {
    kind = Kind::words;
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<double>(n);
  }
  auto [least, most] = std::minmax_element(values.begin(), values.end());
  double low = *least, high = *most;
  if (low == high) {  // a single value is centred
    low -= 1;
    high += 1;
  }
  constexpr double margin = 14;
  ChartAxis made(kind, low, high, begin + margin, end - margin);
  made.take_values(values, texts);
  return made;
}

/// An axis that covers some numbers; a linear one begins at 0. Its ticks are round in units of size `unit`.
ChartAxis axis_of_numbers(const std::vector<double>& values, bool prefers_logarithmic, double unit, double begin,
                          double end) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const bool logarithmic = *least > 0 && (prefers_logarithmic || *most > 200 * *least);
  const double high = *most > 0 ? *most * (logarithmic ? 1.3 : 1.06) : unit;
  if (!logarithmic) {
    ChartAxis axis(Kind::linear, std::min(0.0, *least), high, begin, end);
    axis.take_ticks(steps_to(high / unit), unit);
    return axis;
  }
  const double low = std::min(*least / 1.3, high / 10);
  ChartAxis axis(Kind::logarithmic, low, high, begin, end);
  axis.take_ticks(round_numbers(low / unit, high / unit), unit);
  return axis;
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
      if (point.standing >= sim::Standing::ratio || point.quantity == sim::Published::speedup) continue;
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

// Lines, their names, and the page.

constexpr double plot_left = 84, plot_top = 96, plot_bottom = 470, page_height = 540, page_right = 776;
constexpr double letter = 7.4, line_of_names = 16;

/// A point of a line: its index on the first axis, and its value.
struct ChartPoint {
  std::size_t at;
  double value;
};

struct ChartLine {
  std::string name;
  std::vector<ChartPoint> points;
};

/// Label of a value: "causal", "not causal", "head-dim 64", the name of a GPU.
std::string words_of(const results::Axis& axis, const Json& value) {
  const std::string text = report::csv_cell(value);
  if (axis.kind == sim::OptionKind::flag) return (value == true ? "" : "not ") + axis.name;
  return axis.kind == sim::OptionKind::name ? text : axis.name + " " + text;
}

std::vector<ChartLine> lines_of(const results::Sweep& sweep, const Rows& rows) {
  const std::string& path = sweep.numbers().front().path;
  std::vector<ChartLine> lines;
  std::map<std::string, std::size_t> known;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    std::string name;
    for (std::size_t a = 1; a < sweep.axes().size(); ++a)
      name += (name.empty() ? "" : ", ") + words_of(sweep.axes()[a], rows[n].at(sweep.axes()[a].name));
    const auto [place, fresh] = known.try_emplace(name, lines.size());
    if (fresh) lines.push_back({name, {}});
    if (rows[n].at(path).is_number())
      lines[place->second].points.push_back(
          {sweep.coordinate(static_cast<std::int64_t>(n), 0), rows[n].at(path).get<double>()});
  }
  std::erase_if(lines, [](const ChartLine& line) { return line.points.empty(); });
  return lines;
}

std::string words(const char* look, const char* anchor, double x, double y, const std::string& text) {
  return fmt::format("<text class=\"{}\" text-anchor=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", look, anchor, x, y,
                     xml(text));
}

std::string stroke(const char* look, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", look, x1, y1, x2,
                     y2);
}

/// Title of a number, capitalised: "Predicted time".
std::string title_of(const results::TableNumber& number) {
  std::string title(sim::trimmed(number.title));
  if (number.title != number.path) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

/// "Predicted time, ms".
std::string with_unit(const std::string& title, const report::CommonUnit& unit) {
  return title + (unit.name.empty() ? "" : ", ") + unit.name;
}

/// Geometry of a chart, and the titles of its axes. In a sweep's, values of the first axis are on x, numbers on y.
struct Plot {
  ChartAxis x, y;
  std::string x_title, y_title;
  double bottom = plot_bottom;
  double px(const ChartPoint& point) const { return x.at(point.at); }
  double py(const ChartPoint& point) const { return y.pixel(point.value); }
};

std::string axes(const Plot& plot) {
  std::string out;
  for (const ChartTick& tick : plot.y.ticks()) {
    out += stroke("grid", plot_left, tick.pixel, plot.x.end(), tick.pixel);
    out += words("muted", "end", plot_left - 8, tick.pixel + 4, tick.text);
  }
  for (const ChartTick& tick : plot.x.ticks()) {
    out += stroke("grid", tick.pixel, plot_top, tick.pixel, plot.bottom);
    out += words("muted", "middle", tick.pixel, plot.bottom + 18, tick.text);
  }
  out += words("muted", "middle", (plot_left + plot.x.end()) / 2, plot.bottom + 42, plot.x_title);
  return out + words("muted", "start", 24, plot_top - 12, plot.y_title);
}

std::string point_title(const results::Sweep& sweep, const ChartLine& line, const ChartPoint& point) {
  const results::Axis& axis = sweep.axes().front();
  return sim::text(line.name, line.name.empty() ? "" : ", ", axis.name, " ", axis.values[point.at], ": ",
                   report::text_in(sweep.numbers().front().unit(), point.value));
}

std::string drawn(const results::Sweep& sweep, const Plot& plot, const ChartLine& line, std::size_t which) {
  std::string path, dots;
  for (const ChartPoint& point : line.points) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", plot.px(point), plot.py(point));
    dots += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}</title></circle>\n",
                        plot.px(point), plot.py(point), xml(point_title(sweep, line, point)));
  }
  return fmt::format("<path class=\"line dash{}\" d=\"{}\"/>\n", which % 4, path) + dots;
}

/// Names of lines to the right of the plot, in the order of their ends, without overlaps.
std::string names(const Plot& plot, const std::vector<ChartLine>& lines) {
  std::vector<std::size_t> order(lines.size());
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  const auto end_of = [&](std::size_t n) { return plot.py(lines[n].points.back()); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return end_of(a) < end_of(b); });
  std::string out;
  double free = plot_top;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const ChartLine& line = lines[order[place]];
    const double below = static_cast<double>(order.size() - place) * line_of_names;
    const double y = std::clamp(end_of(order[place]), free, std::max(free, plot_bottom + line_of_names - below));
    const double x = plot.px(line.points.back());
    out += stroke("leader", x + 5, end_of(order[place]), plot.x.end() + 14, y);
    out += words("label", "start", plot.x.end() + 18, y + 4, line.name);
    free = y + line_of_names;
  }
  return out;
}

/// Rings at the published times of scenarios of the sweep.
std::string published(const Plot& plot, const std::vector<PublishedBeside>& all) {
  std::string out;
  for (const PublishedBeside& one : all) {
    out +=
        fmt::format("<circle class=\"ring\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5.5\"><title>{}</title></circle>\n",
                    plot.x.at(one.at), plot.y.pixel(one.microseconds),
                    xml(sim::text("published: ", report::text_in("microseconds", one.microseconds), ", ", one.source)));
  }
  if (out.empty()) return out;
  return out +
         fmt::format("<circle class=\"ring\" cx=\"{}\" cy=\"{}\" r=\"5.5\"/>\n", plot_left + 6, plot_bottom + 58) +
         words("muted", "start", plot_left + 18, plot_bottom + 62, "published");
}

constexpr const char* chart_style =
    R"(.grid{stroke:#E6EAF0}.leader{stroke:#8A94A3}.line{fill:none;stroke:#151A21;stroke-width:1.6}.dot{fill:#151A21}
.ring{fill:none;stroke:#151A21;stroke-width:1.6}.label{font-size:12px;font-weight:600}
.dash1{stroke-dasharray:7 4}.dash2{stroke-dasharray:2 3}.dash3{stroke-dasharray:9 3 2 3}
@media(prefers-color-scheme:dark){.grid{stroke:#222934}.leader{stroke:#6B7686}.line,.ring{stroke:#E8ECF2}.dot{fill:#E8ECF2}}
)";

std::string fixed_options(const results::Sweep& sweep) {
  std::string text;
  for (const auto& [name, value] : sweep.fixed()) text += (text.empty() ? "" : ", ") + name + " " + value;
  return text.empty() ? "All other options at their defaults." : text + ".";
}

// Points without lines, near a diagonal.

constexpr double scatter_bottom = 560, scatter_height = 700;
constexpr double line_of_legend = 20, legend_left = 36, legend_right = 500;
constexpr int legend_rows = 3;

/// Marks of the kinds of points: a ring, a cross, a square, a diamond, relative to their centres.
struct MarkLook {
  const char *look, *path;
};
constexpr MarkLook looks[] = {{"ring-mark", "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0"},
                              {"cross-mark", "m-3.5 0h7m-3.5-3.5v7"},
                              {"mark K", "m-2.7-2.7h5.4v5.4h-5.4z"},
                              {"mark Q", "m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z"}};

constexpr const char* scatter_style =
    R"(.mark{stroke:#F3F5F8;stroke-width:.7}.ring-mark{fill:none;stroke:#8A94A3}.cross-mark{fill:none;stroke:#151A21;stroke-width:1.4}
.equal{stroke:#56616F;stroke-width:1.4}.near{stroke:#56616F;stroke-dasharray:5 3}
@media(prefers-color-scheme:dark){.mark{stroke:#0D1015}.ring-mark{stroke:#6B7686}.cross-mark{stroke:#E8ECF2}.equal,.near{stroke:#9AA6B5}}
)";

/// A line on which y is `factor` times x, cut at the border of the plot.
std::string multiple_line(const Plot& plot, const char* look, double factor) {
  const double from = std::max(plot.x.low(), plot.y.low() / factor);
  const double to = std::min(plot.x.high(), plot.y.high() / factor);
  return stroke(look, plot.x.pixel(from), plot.y.pixel(from * factor), plot.x.pixel(to), plot.y.pixel(to * factor));
}

/// Marks of one kind, as a group that names their look once.
std::string marks_of(const Plot& plot, const ScatterKind& kind, const MarkLook& look) {
  std::string out = fmt::format("<g class=\"{}\">\n", look.look);
  for (const ScatterPoint& point : kind.points) {
    out += fmt::format("<path d=\"M{:.1f} {:.1f}{}\"><title>{}</title></path>\n", plot.x.pixel(point.x),
                       plot.y.pixel(point.y), look.path, xml(point.title));
  }
  return out + "</g>\n";
}

/// The kinds that have points and the two looks of lines, in two columns below the plot.
std::string scatter_legend(const std::vector<ScatterKind>& kinds) {
  std::string out;
  int entries = 0;
  const auto add = [&](const char* look, const char* path, const std::string& name) {
    const double x = entries < legend_rows ? legend_left : legend_right;
    const double y = scatter_bottom + 72 + line_of_legend * (entries++ % legend_rows);
    out += fmt::format("<path class=\"{}\" d=\"M{} {}{}\"/>\n", look, x, y, path);
    out += words("muted", "start", x + 18, y + 4, name);
  };
  for (std::size_t n = kinds.size(); n-- > 0;) {
    if (!kinds[n].points.empty()) add(looks[n].look, looks[n].path, kinds[n].name);
  }
  add("equal", "m-12 0h24", "equal");
  add("near", "m-12 0h24", "10 % more or less");
  return out;
}

}  // namespace

std::string scatter_svg(const Scatter& scatter) {
  std::vector<double> values;
  for (const ScatterKind& kind : scatter.kinds) {
    for (const ScatterPoint& point : kind.points) values.insert(values.end(), {point.x, point.y});
  }
  sim::require(!values.empty() && scatter.kinds.size() <= std::size(looks), "a chart needs points of 1 to 4 kinds");
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const report::CommonUnit unit = report::common_unit(scatter.unit, {std::sqrt(*least * *most)});  // of the middle
  const Plot plot{axis_of_numbers(values, true, unit.size, plot_left, page_right),
                  axis_of_numbers(values, true, unit.size, scatter_bottom, plot_top), with_unit(scatter.x_title, unit),
                  with_unit(scatter.y_title, unit), scatter_bottom};
  std::string out = svg_page(scatter.title, scatter.subtitle, scatter_height, sim::text(chart_style, scatter_style));
  out += axes(plot);
  for (const double factor : {0.9, 1.1}) out += multiple_line(plot, "near", factor);
  out += multiple_line(plot, "equal", 1);
  for (std::size_t n = 0; n < scatter.kinds.size(); ++n) out += marks_of(plot, scatter.kinds[n], looks[n]);
  return out + scatter_legend(scatter.kinds) + "</svg>\n";
}

std::string sweep_svg(const results::Sweep& sweep, const Rows& rows) {
  const results::TableNumber& number = sweep.numbers().front();
  const std::vector<ChartLine> lines = lines_of(sweep, rows);
  const auto first = rows.empty() ? std::nullopt : sweep.scenario(0);
  const bool timed = !first || has_time(*first->gpu);
  sim::require(!lines.empty(), "quantity: no row has a number ", number.path, " to draw",
               timed ? "" : "; " + sim::why_no_time(*first->gpu));
  sim::require(lines.size() <= most_lines, "format: a chart of ", lines.size(), " lines cannot be read, at most ",
               most_lines, ": sweep fewer values, or use csv");
  const std::vector<PublishedBeside> beside = published_beside(sweep);
  std::vector<double> values;
  std::size_t longest = 0;
  for (const ChartLine& line : lines) {
    longest = std::max(longest, line.name.size());
    for (const ChartPoint& point : line.points) values.push_back(point.value);
  }
  for (const PublishedBeside& one : beside) values.push_back(one.microseconds);
  const double right = page_right - std::min(300.0, longest == 0 ? 0 : 26 + letter * static_cast<double>(longest));
  const ChartAxis x = axis_of_values(sweep.axes().front(), plot_left, right);
  const report::CommonUnit unit = report::common_unit(number.unit(), values);
  const Plot plot{x, axis_of_numbers(values, x.is_logarithmic(), unit.size, plot_bottom, plot_top),
                  sweep.axes().front().name, with_unit(title_of(number), unit)};
  std::string out =
      svg_page(title_of(number) + " over " + sweep.axes().front().name, fixed_options(sweep), page_height, chart_style);
  out += axes(plot);
  for (std::size_t n = 0; n < lines.size(); ++n) out += drawn(sweep, plot, lines[n], n);
  if (longest > 0) out += names(plot, lines);
  return out + published(plot, beside) + "</svg>\n";
}

}  // namespace terminal
