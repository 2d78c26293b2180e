#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/machine/device_fields.h"
#include "sim/report/numbers.h"
#include "sim/trace/tensors.h"
#include "viz/terminal/comparison.h"
#include "viz/terminal/request.h"
#include "viz/terminal/svg_page.h"

namespace terminal {
namespace {

constexpr double left = 150, width = 540, bar_height = 34, gap = 22, top = 78;

/// One part of a bar. `colour` is the CSS class of a tensor; gradients have their tensor's colour, lighter.
struct Segment {
  std::string label, colour;
  bool lighter = false;
  double amount = 0;
};

/// Segments of a chart by tensor, in a fixed order so that bars compare segment by segment.
std::vector<Segment> tensor_segments() {
  using sim::Tensor;
  std::vector<Segment> segments;
  for (const Tensor tensor : {Tensor::Q, Tensor::K, Tensor::V, Tensor::S, Tensor::P, Tensor::O}) {
    const std::string name(sim::name_of(tensor));
    segments.push_back({name, name});
    segments.push_back({"d" + name, name, true});
  }
  segments.push_back({"mask", "mask"});
  segments.push_back({"statistics", "stat"});
  return segments;
}

/// Legend text of a tensor; its stages share it.
std::string label_of(sim::Tensor tensor) {
  return sim::is_statistic(tensor) ? "statistics" : std::string(sim::stem_of(tensor));
}

void add(std::vector<Segment>& segments, sim::Tensor tensor, sim::Bytes bytes) {
  for (Segment& segment : segments) {
    if (segment.label == label_of(tensor)) segment.amount += static_cast<double>(bytes.count());
  }
}

std::vector<Segment> traffic_segments(const std::map<sim::Tensor, sim::Traffic>& by_tensor) {
  std::vector<Segment> segments = tensor_segments();
  for (const auto& [tensor, traffic] : by_tensor) add(segments, tensor, traffic.total());
  return segments;
}

/// The tensors that are live at the peak.
std::vector<Segment> memory_segments(const sim::Simulation& s) {
  std::vector<Segment> segments = tensor_segments();
  for (const sim::Tensor tensor : sim::memory_peak(s.plan).tensors) {
    add(segments, tensor, s.plan.problem.hbm[tensor].total_bytes(s.plan.problem.shape));
  }
  return segments;
}

/// One segment per kernel, in order. Time belongs to no tensor, so segments alternate between shades of grey.
std::vector<Segment> time_segments(const sim::Simulation& s) {
  std::vector<Segment> segments;
  for (const sim::KernelMeters& kernel : s.kernels) {
    segments.push_back({kernel.name, "stat", segments.size() % 2 == 1, kernel.time.microseconds});
  }
  return segments;
}

std::vector<Segment> segments_of(const sim::Simulation& s, Chart chart) {
  if (chart == Chart::tile_traffic) return traffic_segments(s.totals.by_tensor);
  if (chart == Chart::hbm_traffic) return traffic_segments(s.hbm_by_tensor);
  return chart == Chart::memory ? memory_segments(s) : time_segments(s);
}

double total_of(const std::vector<Segment>& segments) {
  double sum = 0;
  for (const Segment& segment : segments) sum += segment.amount;
  return sum;
}

std::string with_unit(double amount, Chart chart) {
  return chart == Chart::time ? report::microseconds(amount) : report::bytes(static_cast<std::int64_t>(amount));
}

std::string exact(double amount, Chart chart) {
  return chart == Chart::time ? report::microseconds(amount)
                              : report::thousands(static_cast<std::int64_t>(amount)) + " B";
}

/// Names of the kernels of a bar, from left to right, shortened to fit below it.
std::string kernel_names(const sim::Simulation& s, double y) {
  constexpr std::size_t most = 86;
  std::string names;
  for (const sim::KernelMeters& kernel : s.kernels) names += (names.empty() ? "" : ", ") + kernel.name;
  if (names.size() > most) names = names.substr(0, most) + " ...";
  return fmt::format("<text class=\"muted small\" x=\"{}\" y=\"{}\">{}</text>\n", left, y, names);
}

std::string bar(const sim::Simulation& s, Chart chart, double y, double amount_per_pixel) {
  std::string out = fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 12, y + 22,
                                s.plan.scenario.algorithm);
  out += fmt::format("<rect class=\"track\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"/>\n", left, y, width,
                     bar_height);
  double x = left;
  const std::vector<Segment> segments = segments_of(s, chart);
  for (const Segment& segment : segments) {
    const double w = segment.amount / amount_per_pixel;
    if (segment.amount == 0) continue;
    out += fmt::format(
        "<rect class=\"{}{}\" x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"><title>{}: {}</title></rect>\n",
        segment.colour, segment.lighter ? " lighter" : "", x, y, w, bar_height, segment.label,
        exact(segment.amount, chart));
    if (w > 8.0 * static_cast<double>(segment.label.size()) + 8) {
      out += fmt::format("<text class=\"in on-{}\" x=\"{:.2f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                         segment.lighter ? "lighter" : segment.colour, x + w / 2, y + 21, segment.label);
    }
    x += w;
  }
  out += fmt::format("<text class=\"muted\" x=\"{}\" y=\"{}\">{}</text>\n", left + width + 12, y + 22,
                     with_unit(total_of(segments), chart));
  if (chart == Chart::time) out += kernel_names(s, y + bar_height + 14);
  return out;
}

/// Legend below the bars: small segments have no label, so every colour in use is named once.
std::string legend(const std::vector<sim::Simulation>& runs, Chart chart, double y) {
  if (chart == Chart::time) return "";
  std::string out;
  double x = left;
  for (const Segment& segment : tensor_segments()) {
    const bool occurs = std::any_of(runs.begin(), runs.end(), [&](const sim::Simulation& s) {
      const std::vector<Segment> all = segments_of(s, chart);
      return std::any_of(all.begin(), all.end(),
                         [&](const Segment& other) { return other.label == segment.label && other.amount > 0; });
    });
    if (!occurs) continue;
    out += fmt::format("<rect class=\"{}{}\" x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" rx=\"3\"/>\n", segment.colour,
                       segment.lighter ? " lighter" : "", x, y);
    out += fmt::format("<text class=\"muted\" x=\"{}\" y=\"{}\">{}</text>\n", x + 16, y + 11, segment.label);
    x += 28 + 7.0 * static_cast<double>(segment.label.size());
  }
  return out;
}

constexpr std::array<const char*, 4> titles = {"Tile traffic by tensor: bytes that cross the SRAM boundary",
                                               "HBM traffic by tensor: bytes that the L2 does not serve",
                                               "Peak HBM memory: tensors that are live at the peak",
                                               "Predicted time, by kernel"};

}  // namespace

const std::vector<std::string>& chart_names() {
  static const std::vector<std::string> names = {"tile-traffic", "hbm-traffic", "memory", "time", "roofline"};
  return names;
}

std::string comparison_svg(const std::vector<sim::Simulation>& runs, Chart chart) {
  if (chart == Chart::roofline) return roofline_svg(runs);
  const sim::DeviceSpec& gpu = *runs.front().plan.scenario.gpu;
  sim::require(chart != Chart::time || has_time(gpu), "chart: ", sim::why_no_time(gpu));
  sim::require(chart != Chart::hbm_traffic || counts_hbm_traffic(gpu), "chart: ", sim::why_no_hbm_traffic(gpu));
  double most = 0;
  for (const sim::Simulation& s : runs) most = std::max(most, total_of(segments_of(s, chart)));
  if (most == 0) most = 1;
  const double height = top + static_cast<double>(runs.size()) * (bar_height + gap) + 40;
  const sim::Scenario& scenario = runs.front().plan.scenario;
  const char* const title = titles.at(static_cast<std::size_t>(chart));
  const std::string subtitle =
      sim::text(sim::name_of(scenario.pass), ": ", shape_text(scenario), ", on ", scenario.gpu->name, ".");
  std::string out = svg_page(title, subtitle, height);
  double y = top;
  for (const sim::Simulation& s : runs) {
    out += bar(s, chart, y, most / width);
    y += bar_height + gap;
  }
  return out + legend(runs, chart, y + 2) + "</svg>\n";
}

}  // namespace terminal
