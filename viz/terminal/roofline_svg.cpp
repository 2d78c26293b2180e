// Roofline chart: FLOP/s over FLOP/B, both logarithmic, with the device's roofs and a point per run and level.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/model/roofline.h"
#include "sim/report/label_places.h"
#include "sim/report/numbers.h"
#include "viz/terminal/comparison.h"
#include "viz/terminal/request.h"
#include "viz/terminal/svg_page.h"

namespace terminal {
namespace {

using report::Box;
using report::LabelPlace;
using report::LabelPlaces;
using report::Segment;

constexpr double left = 92, right = 776, top = 112, bottom = 490, height = 560;
constexpr double letter = 8.3;  // pixels per bold letter at 12 px, wide enough for every font of the page

/// A logarithmic axis, on the pixels from `begin` to `end`.
struct LogAxis {
  double low, high;  ///< exponents of 10
  double begin, end;
  double at(double value) const { return begin + (std::log10(value) - low) / (high - low) * (end - begin); }
  int first_tick() const { return static_cast<int>(std::ceil(low)); }
  int last_tick() const { return static_cast<int>(std::floor(high)); }
};

/// An axis with margins around the values, covering at least two decades.
LogAxis axis_around(const std::vector<double>& values, double begin, double end) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double high = std::log10(*most) + 0.3;
  return {std::min(std::log10(*least) - 0.4, high - 2), high, begin, end};
}

/// Point of a run as a whole at one level.
struct Mark {
  std::string name, exact;
  bool hbm;
  double intensity, rate;  ///< FLOP/B, FLOP/s
};

/// Two marks per run that has FLOPs: logarithmic axes cannot show 0.
std::vector<Mark> marks_of(const std::vector<sim::Simulation>& runs) {
  std::vector<Mark> marks;
  for (const sim::Simulation& s : runs) {
    const sim::RooflinePoint whole = sim::roofline(s).back();
    const sim::Roofs roofs = sim::roofs_of(*s.plan.scenario.gpu, s.plan.scenario.dtype);
    if (whole.rated().count() == 0) continue;
    const std::string& name = s.plan.scenario.algorithm;
    for (const bool hbm : {false, true}) {
      if (hbm && !whole.hbm_counted) continue;
      const double at = hbm ? whole.hbm_intensity() : whole.tile_intensity();
      marks.push_back({name + (hbm ? ", HBM" : ", L2"),
                       sim::text(name, hbm ? ", HBM traffic: " : ", tile traffic through the L2: ",
                                 report::intensity(at), ", ", report::flop_rate(whole.level(roofs)),
                                 std::isnan(whole.achieved()) ? " attainable: no time is predicted" : ""),
                       hbm, at, whole.level(roofs)});
    }
  }
  return marks;
}

struct Chart2D {
  sim::Roofs roofs;
  LogAxis x, y;
  double px(double flop_per_byte) const { return x.at(flop_per_byte); }
  double py(double flop_per_second) const { return y.at(flop_per_second); }
  /// Intensity at which the slope of a bandwidth enters the plot: at the left edge or at the bottom.
  double first_intensity(double bandwidth) const {
    return std::max(std::pow(10.0, x.low), std::pow(10.0, y.low) / bandwidth);
  }
};

std::string line(const char* look, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", look, x1, y1, x2,
                     y2);
}

std::string words(const std::string& look, const char* anchor, double x, double y, const std::string& text) {
  return fmt::format("<text class=\"{}\" text-anchor=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", look, anchor, x, y,
                     xml(text));
}

std::string decade(int exponent) {
  return exponent < 0 ? fmt::format("{:.{}f}", std::pow(10.0, exponent), -exponent)
                      : report::thousands(std::llround(std::pow(10.0, exponent)));
}

std::string axes(const Chart2D& chart) {
  std::string out;
  for (int e = chart.x.first_tick(); e <= chart.x.last_tick(); ++e) {
    const double x = chart.px(std::pow(10.0, e));
    out += line("grid", x, top, x, bottom) + words("muted", "middle", x, bottom + 18, decade(e));
  }
  for (int e = chart.y.first_tick(); e <= chart.y.last_tick(); ++e) {
    const double y = chart.py(std::pow(10.0, e));
    out += line("grid", left, y, right, y) + words("muted", "end", left - 8, y + 4, decade(e - 12));
  }
  out += words("muted", "end", right, bottom + 48, "arithmetic intensity, FLOP/B");
  return out + words("muted", "start", 24, top - 6, "TFLOP/s");
}

/// Muted text along a line.
std::string words_along(double x, double y, double degrees, double above, const std::string& text) {
  return fmt::format(
      "<text class=\"muted\" text-anchor=\"middle\" transform=\"translate({:.1f} {:.1f}) rotate({:.2f})\" "
      "y=\"{}\">{}</text>\n",
      x, y, degrees, -above, text);
}

/// The slope of one level up to its ridge; the upper one is labelled above, the lower one below, if there is space.
std::string slope(const Chart2D& chart, double bandwidth, double at, const std::string& name, LabelPlaces& places) {
  const bool upper = bandwidth >= std::max(chart.roofs.hbm, chart.roofs.has_l2() ? chart.roofs.l2 : 0);
  const double first = chart.first_intensity(bandwidth);
  const double x1 = chart.px(first), y1 = chart.py(first * bandwidth);
  const double x2 = chart.px(at), y2 = chart.py(chart.roofs.matrix_peak);
  const double length = std::hypot(x2 - x1, y2 - y1), dx = (x2 - x1) / length, dy = (y2 - y1) / length;
  const std::string text = name + " " + report::byte_rate(bandwidth);
  const double half = letter * static_cast<double>(text.size()) / 2, off = upper ? 11 : -11;
  double x = 0, y = 0;
  for (const double part : {0.3, 0.4, 0.5, 0.6, 0.7, 0.2, 0.8}) {
    x = x1 + dx * length * part;
    y = y1 + dy * length * part;
    const Segment middle{x - dx * half + dy * off, y - dy * half - dx * off, x + dx * half + dy * off,
                         y + dy * half - dx * off};
    if (!places.is_free(middle, 7)) continue;
    places.avoid(middle, 7);
    break;
  }
  return line("roof", x1, y1, x2, y2) +
         words_along(x, y, std::atan2(dy, dx) * 180 / std::acos(-1.0), upper ? 6 : -15, text);
}

/// Dotted lines at the ridges, with their intensities above the plot on one line, or on two if they do not fit.
std::string ridges(const Chart2D& chart) {
  const sim::Roofs& roofs = chart.roofs;
  std::string out;
  double taken_from = left, taken_to = left - 1;
  for (const auto& [name, at] : {std::pair{"L2", roofs.l2_ridge()}, {"HBM", roofs.hbm_ridge()}}) {
    if (std::isnan(at)) continue;
    const std::string text = sim::text(name, " ridge ", report::intensity(at));
    const double x = chart.px(at), half = 7.6 * static_cast<double>(text.size()) / 2;
    const double middle = std::clamp(x, left + half, right - half);
    const bool overlaps = middle - half < taken_to + 6 && taken_from - 6 < middle + half;
    out += line("ridge", x, overlaps ? top - 16 : top - 2, x, bottom);
    out += words("muted", "middle", middle, overlaps ? top - 20 : top - 6, text);
    taken_from = middle - half;
    taken_to = middle + half;
  }
  return out;
}

/// The horizontal roof with its name, and the slopes.
std::string roof_lines(const Chart2D& chart, LabelPlaces& places) {
  const sim::Roofs& roofs = chart.roofs;
  const double lower = roofs.has_l2() ? std::min(roofs.l2_ridge(), roofs.hbm_ridge()) : roofs.hbm_ridge();
  const double first = chart.px(lower), y = chart.py(roofs.matrix_peak);
  std::string out = roofs.has_l2() ? slope(chart, roofs.l2, roofs.l2_ridge(), "L2", places) : "";
  out += slope(chart, roofs.hbm, roofs.hbm_ridge(), "HBM", places);
  out += line("roof", first, y, right, y);
  const std::string name = (roofs.one_pipe ? "FP32 pipe " : "tensor cores ") + report::flop_rate(roofs.matrix_peak);
  const double width = letter * static_cast<double>(name.size());
  places.avoid({right - width, y - 18, right, y});
  for (const auto& [bandwidth, at] : {std::pair{roofs.l2, roofs.l2_ridge()}, {roofs.hbm, roofs.hbm_ridge()}}) {
    if (std::isnan(bandwidth)) continue;
    const double from = chart.first_intensity(bandwidth);
    places.avoid(Segment{chart.px(from), chart.py(from * bandwidth), chart.px(at), y}, 2);
  }
  places.avoid(Segment{first, y, right, y}, 2);
  return out + words("muted", "end", right - 4, y - 7, name);
}

std::string dot(const Mark& mark, double x, double y) {
  return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
                     mark.hbm ? "dot" : "ring", x, y, mark.hbm ? 4 : 6.5, xml(mark.exact));
}

std::string label(const Mark& mark, double x, double y, LabelPlaces& places) {
  const LabelPlace place = places.take(x, y, letter * static_cast<double>(mark.name.size()));
  std::string out;
  if (place.leader) out = line("leader", x, y, place.near_x, place.near_y);
  return out + words("label", "start", place.x, place.y, mark.name);
}

/// Keeps labels off the points and off the lines between a run's two levels.
void reserve(const Chart2D& chart, const std::vector<Mark>& marks, LabelPlaces& places) {
  for (std::size_t n = 0; n < marks.size(); ++n) {
    const double x = chart.px(marks[n].intensity), y = chart.py(marks[n].rate);
    places.avoid(Box{x - 8, y - 8, x + 8, y + 8});
    if (n > 0 && marks[n].hbm) places.avoid(Segment{chart.px(marks[n - 1].intensity), y, x, y}, 2);
  }
}

std::string points(const Chart2D& chart, const std::vector<Mark>& marks, LabelPlaces& places) {
  std::string joins, dots, labels;
  for (std::size_t n = 0; n < marks.size(); ++n) {
    const double x = chart.px(marks[n].intensity), y = chart.py(marks[n].rate);
    const double before = n > 0 && marks[n].hbm ? chart.px(marks[n - 1].intensity) : x;
    if (x - before > 11) joins += line("leader", before + 6.5, y, x, y);
    dots += dot(marks[n], x, y);
    labels += label(marks[n], x, y, places);
  }
  return joins + dots + labels;
}

constexpr const char* chart_style =
    R"(.grid{stroke:#E6EAF0}.roof{stroke:#56616F;stroke-width:2}.ridge{stroke:#56616F;stroke-dasharray:2 4}.leader{stroke:#8A94A3}
.dot{fill:#151A21}.ring{fill:none;stroke:#151A21;stroke-width:1.6}.label{font-size:12px;font-weight:600}
@media(prefers-color-scheme:dark){.grid{stroke:#222934}.roof,.ridge{stroke:#9AA6B5}.leader{stroke:#6B7686}
.dot{fill:#E8ECF2}.ring{stroke:#E8ECF2}}
)";

std::string key() {
  const double y = bottom + 44;
  return fmt::format("<circle class=\"dot\" cx=\"{}\" cy=\"{}\" r=\"4\"/>\n", left + 4, y) +
         words("muted", "start", left + 14, y + 4, "in HBM traffic") +
         fmt::format("<circle class=\"ring\" cx=\"{}\" cy=\"{}\" r=\"6.5\"/>\n", left + 126, y) +
         words("muted", "start", left + 138, y + 4, "in tile traffic, all of which passes the L2");
}

Chart2D chart_of(const std::vector<sim::Simulation>& runs, const std::vector<Mark>& marks) {
  const sim::Scenario& scenario = runs.front().plan.scenario;
  const sim::Roofs roofs = sim::roofs_of(*scenario.gpu, scenario.dtype);
  std::vector<double> intensities = {roofs.has_l2() ? roofs.l2_ridge() : roofs.hbm_ridge(), roofs.hbm_ridge()},
                      rates = {roofs.matrix_peak};
  rates.push_back(roofs.matrix_peak / 100);
  for (const Mark& mark : marks) {
    intensities.push_back(mark.intensity);
    rates.push_back(mark.rate);
  }
  return {roofs, axis_around(intensities, left, right), axis_around(rates, bottom, top)};
}

}  // namespace

std::string roofline_svg(const std::vector<sim::Simulation>& runs) {
  const sim::Scenario& scenario = runs.front().plan.scenario;
  const std::vector<Mark> marks = marks_of(runs);
  const Chart2D chart = chart_of(runs, marks);
  LabelPlaces places({left, top, right, bottom});
  std::string out = svg_page("Roofline: FLOP/s that each byte's work allows, and that the predicted time reaches",
                             sim::text(sim::name_of(scenario.pass), ": ", shape_text(scenario), ", on ",
                                       scenario.gpu->name, ". All kernels of a run together."),
                             height, chart_style);
  reserve(chart, marks, places);
  out += axes(chart) + ridges(chart);
  out += roof_lines(chart, places);  // before the points, whose labels avoid the lines
  out += points(chart, marks, places);
  return out + key() + "</svg>\n";
}

}  // namespace terminal
