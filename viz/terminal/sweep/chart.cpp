#include "viz/terminal/sweep/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/machine/device_fields.h"
#include "sim/report/common_unit.h"
#include "sim/report/quantities.h"
#include "sim/report/run_json.h"
#include "viz/terminal/svg_page.h"
#include "viz/terminal/sweep/chart_axis.h"
#include "viz/terminal/sweep/published_beside.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<Json>;

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

/// Geometry of the chart: values of the first axis on x, numbers on y.
struct Plot {
  const results::Sweep& sweep;
  ChartAxis x, y;
  report::CommonUnit unit;
  double px(const ChartPoint& point) const { return x.at(point.at); }
  double py(const ChartPoint& point) const { return y.pixel(point.value); }
};

std::string axes(const Plot& plot) {
  const results::TableNumber& number = plot.sweep.numbers().front();
  std::string out;
  for (const ChartTick& tick : plot.y.ticks()) {
    out += stroke("grid", plot_left, tick.pixel, plot.x.end(), tick.pixel);
    out += words("muted", "end", plot_left - 8, tick.pixel + 4, fmt::format("{:g}", tick.value / plot.unit.size));
  }
  for (const ChartTick& tick : plot.x.ticks()) {
    out += stroke("grid", tick.pixel, plot_top, tick.pixel, plot_bottom);
    out += words("muted", "middle", tick.pixel, plot_bottom + 18, tick.text);
  }
  out += words("muted", "middle", (plot_left + plot.x.end()) / 2, plot_bottom + 42, plot.sweep.axes().front().name);
  const std::string title = title_of(number);
  return out +
         words("muted", "start", 24, plot_top - 12, title + (plot.unit.name.empty() ? "" : ", " + plot.unit.name));
}

std::string point_title(const Plot& plot, const ChartLine& line, const ChartPoint& point) {
  const results::Axis& axis = plot.sweep.axes().front();
  return sim::text(line.name, line.name.empty() ? "" : ", ", axis.name, " ", axis.values[point.at], ": ",
                   report::text_in(plot.sweep.numbers().front().unit(), point.value));
}

std::string drawn(const Plot& plot, const ChartLine& line, std::size_t which) {
  std::string path, dots;
  for (const ChartPoint& point : line.points) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", plot.px(point), plot.py(point));
    dots += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}</title></circle>\n",
                        plot.px(point), plot.py(point), xml(point_title(plot, line, point)));
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

}  // namespace

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
  const Plot plot{sweep, x, axis_of_numbers(values, x.is_logarithmic(), unit.size, plot_bottom, plot_top), unit};
  std::string out =
      svg_page(title_of(number) + " over " + sweep.axes().front().name, fixed_options(sweep), page_height, chart_style);
  out += axes(plot);
  for (std::size_t n = 0; n < lines.size(); ++n) out += drawn(plot, lines[n], n);
  if (longest > 0) out += names(plot, lines);
  return out + published(plot, beside) + "</svg>\n";
}

}  // namespace terminal
