// Section "roofline" of a comparison: each run as a whole, and its longest kernel.
#include <algorithm>
#include <cmath>

#include "sim/model/roofline.h"
#include "sim/report/numbers.h"
#include "viz/terminal/comparison.h"

namespace terminal {
namespace {

using Points = std::vector<sim::RooflinePoint>;  ///< one per run

sim::Roofs roofs_of(const sim::Simulation& s) { return sim::roofs_of(*s.plan.scenario.gpu, s.plan.scenario.dtype); }

/// Adds the rows of one part: a heading, then its numbers.
void add_rows(std::vector<ComparisonRow>& rows, ComparisonRow heading, const Points& points, const sim::Roofs& roofs) {
  rows.push_back(std::move(heading));
  const auto row = [&](const char* title, auto text) {
    ComparisonRow cells{title, {}, std::vector<std::string>(points.size())};
    for (const sim::RooflinePoint& point : points) cells.values.push_back(text(point));
    rows.push_back(std::move(cells));
  };
  using P = const sim::RooflinePoint&;
  row("  intensity, tile traffic", [](P p) { return report::intensity(p.tile_intensity()); });
  row("  intensity, HBM traffic", [](P p) { return report::intensity(p.hbm_intensity()); });
  row("  attainable", [&](P p) { return report::flop_rate(p.attainable(roofs)); });
  row("  achieved", [](P p) { return report::flop_rate(p.achieved()); });
  row("  achieved, of peak", [&](P p) { return report::percent(p.achieved() / p.peak(roofs)); });
}

const sim::RooflinePoint& longest(const Points& kernels) {
  return *std::max_element(kernels.begin(), kernels.end() - 1,
                           [](const auto& a, const auto& b) { return a.microseconds < b.microseconds; });
}

}  // namespace

std::string roofs_text(const sim::Simulation& run) {
  const sim::Roofs roofs = roofs_of(run);
  return sim::text("peak ", report::flop_rate(roofs.matrix_peak), " in ", sim::name_of(run.plan.scenario.dtype),
                   "; ridge at ",
                   std::isnan(roofs.l2) ? ""
                                        : sim::text(report::intensity(roofs.l2_ridge()), " of tile traffic (L2 ",
                                                    report::byte_rate(roofs.l2), ") and "),
                   report::intensity(roofs.hbm_ridge()), " of HBM traffic (", report::byte_rate(roofs.hbm), ")");
}

std::vector<ComparisonRow> roofline_rows(const std::vector<sim::Simulation>& runs) {
  Points wholes, kernels;
  ComparisonRow whole{"all kernels", {}, std::vector<std::string>(runs.size())};
  ComparisonRow kernel{"longest kernel", {}, std::vector<std::string>(runs.size())};
  for (const sim::Simulation& s : runs) {
    const Points points = sim::roofline(s);
    wholes.push_back(points.back());
    kernels.push_back(longest(points));
    whole.values.push_back(report::microseconds(s.microseconds));
    kernel.values.push_back(kernels.back().name);
  }
  std::vector<ComparisonRow> rows;
  add_rows(rows, std::move(whole), wholes, roofs_of(runs.front()));
  add_rows(rows, std::move(kernel), kernels, roofs_of(runs.front()));
  return rows;
}

}  // namespace terminal
