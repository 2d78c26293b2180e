#include "viz/model/plot.h"

#include <algorithm>

#include "sim/model/roofline.h"
#include "viz/model/comparison.h"

namespace explorer {
namespace {

constexpr std::int64_t kib = 1024;

/// What is simulated on an axis, beside the value of the scenario itself.
std::vector<std::int64_t> usual_values(std::string_view option) {
  if (option == "seqlen") return {128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072};
  if (option == "head-dim") return {16, 32, 64, 96, 128, 160, 192, 224, 256};
  if (option == "sram") {
    return {16 * kib, 24 * kib, 32 * kib, 48 * kib, 64 * kib, 96 * kib, 128 * kib, 192 * kib, 256 * kib, 384 * kib};
  }
  return {16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512};
}

/// The usual values and the one of the scenario. A block longer than its axis is the axis: one such is enough.
std::vector<std::int64_t> values_with(const PlotAxis& axis, const sim::Plan& plan) {
  std::vector<std::int64_t> values = usual_values(axis.option);
  const sim::Shape& shape = plan.problem.shape;
  const std::int64_t extent = axis.option == "br" ? shape.seqlen_q : axis.option == "bc" ? shape.seqlen_k : 0;
  if (extent > 0) {
    const auto first_longer = std::find_if(values.begin(), values.end(), [&](std::int64_t v) { return v >= extent; });
    if (first_longer != values.end()) values.erase(std::next(first_longer), values.end());
  }
  values.push_back(value_on(axis, plan));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Rows that a program which takes one at a time walks over, in all its kernels: what counting it costs grows with
/// them.
std::int64_t single_rows(const sim::Plan& plan) {
  if (!plan.program->row_at_a_time) return 0;
  const sim::Shape& shape = plan.problem.shape;
  return sim::checked_multiply(std::max(shape.seqlen_q, shape.seqlen_k),
                               static_cast<std::int64_t>(plan.launches.size()));
}

}  // namespace

const std::array<PlotAxis, 5>& plot_axes() {
  static constexpr std::array<PlotAxis, 5> axes = {
      {{"seqlen", "N"}, {"head-dim", "d"}, {"br", "Br"}, {"bc", "Bc"}, {"sram", "SRAM"}}};
  return axes;
}

const PlotAxis& find_plot_axis(std::string_view option) {
  for (const PlotAxis& axis : plot_axes()) {
    if (axis.option == option) return axis;
  }
  throw sim::Error(sim::text("plot: \"", option, "\" is no axis: seqlen, head-dim, br, bc or sram"));
}

double quantity_of(const sim::Simulation& s, PlotQuantity quantity) {
  switch (quantity) {
    case PlotQuantity::tile_traffic:
      return static_cast<double>(s.totals.total.total().count());
    case PlotQuantity::hbm_traffic:
      return static_cast<double>(s.hbm.total().count());
    case PlotQuantity::time:
      return s.microseconds;
    case PlotQuantity::peak_memory:
      return static_cast<double>(s.memory.peak_hbm.count());
    case PlotQuantity::intensity:
      return sim::roofline(s).back().hbm_intensity();
  }
  return 0;
}

std::int64_t value_on(const PlotAxis& axis, const sim::Plan& plan) {
  const sim::Problem& problem = plan.problem;
  if (axis.option == "seqlen") return problem.shape.seqlen_q;
  if (axis.option == "head-dim") return problem.shape.head_dim;
  if (axis.option == "br") return problem.tiling.br;
  if (axis.option == "bc") return problem.tiling.bc;
  return plan.capacity.smem.count();
}

sim::OptionValues options_at(const PlotAxis& axis, std::int64_t value) {
  sim::OptionValues changes = {{std::string(axis.option), std::to_string(value)}};
  if (axis.option == "seqlen") changes["seqlen-q"] = changes["seqlen-k"] = "";
  return changes;
}

Plot::Plot(const sim::OptionValues& options, const std::shared_ptr<const sim::DeviceSpec>& gpu,
           const std::string& option)
    : options_(options), gpu_(gpu), axis_(&find_plot_axis(option)) {
  const auto found = options.find("algorithm");
  const sim::Program& current = sim::find_program(found == options.end() ? sim::Scenario{}.algorithm : found->second);
  const sim::Plan plan = sim::make_plan(sim::scenario_from(options, [&](const std::string&) { return gpu_; }));
  values_ = values_with(*axis_, plan);
  lines_.push_back({&current, true, {}});
  for (const sim::Program& program : sim::catalog()) {
    if (&program != &current) lines_.push_back({&program, false, {}});
  }
}

bool Plot::advance() {
  if (done()) return false;
  PlotLine& line = lines_[next_ / values_.size()];
  line.points.push_back(simulate(line, values_[next_ % values_.size()]));
  ++next_;
  return !done();
}

sim::OptionValues Plot::point_options(const sim::OptionValues& options, const PlotAxis& axis, std::int64_t value,
                                      const sim::Program& program) {
  sim::OptionValues change = options_at(axis, value);
  const auto current = options.find("algorithm");
  if (program.name != (current == options.end() ? sim::Scenario{}.algorithm : current->second)) {
    change["algorithm"] = program.name;
  }
  sim::OptionValues result = changed(options, change);
  for (auto it = result.begin(); it != result.end();) it = it->second.empty() ? result.erase(it) : std::next(it);
  return result;
}

PlotPoint Plot::simulate(const PlotLine& line, std::int64_t value) const {
  PlotPoint point{value, std::nullopt, ""};
  try {
    const sim::Scenario scenario = sim::scenario_from(point_options(options_, *axis_, value, *line.program),
                                                      [&](const std::string&) { return gpu_; });
    const std::int64_t rows = single_rows(sim::make_plan(scenario));
    sim::require(rows <= most_single_rows, "seqlen: ", rows, " single rows are more than the ", most_single_rows,
                 " that are counted between two frames; flashscope sweep counts them");
    const sim::Simulation s = sim::simulate(scenario);
    point.values.emplace();
    for (std::size_t n = 0; n < plot_quantities; ++n) (*point.values)[n] = quantity_of(s, PlotQuantity(n));
  } catch (const sim::Error& error) {
    point.reason = error.what();
  }
  return point;
}

}  // namespace explorer
