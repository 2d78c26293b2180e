#include "viz/model/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/text.h"
#include "sim/model/formula_symbols.h"
#include "sim/model/roofline.h"
#include "sim/programs/steps.h"
#include "viz/model/comparison.h"
#include "viz/model/explained.h"
#include "viz/model/plotted_options.h"

namespace explorer {
namespace {

/// The usual values and that of the scenario. Blocks longer than their axis are equal to it: only the first is kept.
std::vector<std::int64_t> values_with(const PlotAxis& axis, const sim::Plan& plan) {
  std::vector<std::int64_t> values;
  for (const std::string_view value : sim::split(sim::option_called(axis.option).number.plotted, " "))
    values.push_back(std::strtoll(std::string(value).c_str(), nullptr, 10));
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

/// Rows that a program walks one at a time, over all its kernels; else 0. The cost of counting grows with them.
std::int64_t single_rows(const sim::Plan& plan) {
  if (!plan.program->row_at_a_time) return 0;
  const sim::Shape& shape = plan.problem.shape;
  return sim::checked_multiply(std::max(shape.seqlen_q, shape.seqlen_k),
                               static_cast<std::int64_t>(plan.launches.size()));
}

}  // namespace

const std::vector<PlotAxis>& plot_axes() {
  static const std::vector<PlotAxis> axes = [] {
    std::vector<PlotAxis> all;
    for (const std::string_view option : sim::split(plotted_options, "|")) {
      const std::string_view label = sim::option_called(option).label;
      all.push_back({option, label.substr(0, label.find(' '))});  // "SRAM" from "SRAM bytes"
    }
    return all;
  }();
  return axes;
}

std::vector<PlotAxis> plot_axes_of(const sim::Scenario& scenario) {
  std::vector<PlotAxis> axes;
  for (const PlotAxis& axis : plot_axes()) {
    if (applies_to(sim::option_called(axis.option), scenario)) axes.push_back(axis);
  }
  return axes;
}

const PlotAxis& find_plot_axis(std::string_view option) {
  for (const PlotAxis& axis : plot_axes()) {
    if (axis.option == option) return axis;
  }
  throw sim::Error("plot: \"", option, "\" is not an axis: ", sim::joined(sim::split(plotted_options, "|")));
}

double quantity_of(const sim::Simulation& s, PlotQuantity quantity) {
  switch (quantity) {
    case PlotQuantity::tile_traffic:
      return static_cast<double>(s.totals.total.total().count());
    case PlotQuantity::hbm_traffic:
      return hbm_bytes_of(s).all();
    case PlotQuantity::time:
      return s.microseconds;
    case PlotQuantity::peak_memory:
      return static_cast<double>(s.memory.peak_hbm.count());
    case PlotQuantity::intensity:
      return sim::roofline(s).back().hbm_intensity();
    case PlotQuantity::waves:
      return std::max_element(s.kernels.begin(), s.kernels.end(),
                              [](const auto& a, const auto& b) { return a.time.microseconds < b.time.microseconds; })
          ->waves;
    case PlotQuantity::flops:
      return static_cast<double>(s.totals.matmul_flops.count());
  }
  return 0;
}

std::int64_t value_on(const PlotAxis& axis, const sim::Plan& plan) {
  const sim::ScenarioOption& option = sim::option_called(axis.option);
  const sim::ScenarioOption& first = option.is_alias() ? sim::option_called(option.covers.front()) : option;
  return std::get<std::int64_t>(first.resolved(plan));
}

sim::OptionValues options_at(const PlotAxis& axis, std::int64_t value) {
  sim::OptionValues changes = {{std::string(axis.option), std::to_string(value)}};
  const sim::ScenarioOption& option = sim::option_called(axis.option);
  for (const std::string_view covered : option.covers) changes[std::string(covered)] = "";
  if (!option.is(sim::of_speed)) changes["inputs"] = "";  // the worked example has a fixed size
  return changes;
}

Plot::Plot(const sim::OptionValues& options, const std::shared_ptr<const sim::DeviceSpec>& gpu,
           const std::string& option, bool formulas)
    : options_(options), gpu_(gpu), axis_(&find_plot_axis(option)) {
  const auto found = options.find("algorithm");
  const std::string algorithm = found == options.end() ? sim::Scenario{}.algorithm : found->second;
  const sim::Plan plan = sim::make_plan(sim::scenario_from(options, [&](const std::string&) { return gpu_; }));
  values_ = values_with(*axis_, plan);
  lines_.push_back({plan.scenario.named, 0, nullptr, {}, true, {}});
  const auto all = sim::programs_now();
  for (std::size_t n = 0; n < all.size(); ++n) {
    const bool first = all[n]->name == algorithm || all[n]->name == plan.code->name;  // under a pattern, its variant
    if (!first) lines_.push_back({all[n], n, nullptr, {}, false, {}});
  }
  if (!formulas) return;
  if (option == plotted_first) {
    for (const sim::ApproximateFamily& family : sim::approximate_families())
      lines_.push_back({nullptr, 0, &family, {}, false, {}});
  } else if (has_formulas(option)) {
    for (const sim::FlatRows rows : sim::all_flat_rows) lines_.push_back({nullptr, 0, nullptr, rows, false, {}});
  }
}

bool Plot::advance() {
  if (done()) return false;
  PlotLine& line = lines_[next_ / values_.size()];
  const std::int64_t value = values_[next_ % values_.size()];
  line.points.push_back(line.is_formula() ? evaluate(line, value) : simulate(line, value));
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
  sim::OptionValues result = sim::without_others(changed(options, change));
  for (auto it = result.begin(); it != result.end();) it = it->second.empty() ? result.erase(it) : std::next(it);
  return result;
}

/// The scenario of a point. All lines share what a pattern hides.
sim::Scenario Plot::scenario_at(const PlotLine& line, std::int64_t value) const {
  const auto gpu = [&](const std::string&) { return gpu_; };
  const sim::OptionValues options = point_options(options_, *axis_, value, *line.program);
  sim::Scenario alone = last_step_of(sim::scenario_from(options, gpu));
  if (!alone.pattern.any()) return alone;
  std::vector<sim::Scenario> sharing;
  std::size_t place = 0;
  for (const PlotLine& other : lines_) {
    if (other.program == nullptr) continue;
    const sim::Scenario scenario = sim::scenario_from(point_options(options_, *axis_, value, *other.program), gpu);
    if (&other == &line) place = sharing.size();
    if (scenario.pattern.any()) sharing.push_back(scenario);
  }
  share_pattern(sharing, alone.pattern);
  return sharing[place];
}

/// Evaluates a formula's FLOPs, bytes and roofline time; other quantities are -1 (absent). A projection has a time
/// only.
PlotPoint Plot::evaluate(const PlotLine& line, std::int64_t value) const {
  PlotPoint point{value, std::nullopt, {}};
  try {
    const sim::Scenario scenario = scenario_at(lines_.front(), value);
    if (line.projection)
      sim::require(scenario.pass == sim::Pass::forward && scenario.dtype != sim::Dtype::fp32,
                   "its formula is of a forward pass in half precision");
    else
      sim::require(scenario.pass == sim::Pass::forward && !scenario.shape.mask.any() && !scenario.pattern.any(),
                   "its formula is of a forward pass without a mask");
    const sim::Plan plan = sim::make_plan(scenario);
    point.values.emplace();
    point.values->fill(-1);
    const auto set = [&](PlotQuantity quantity, double number) {
      (*point.values)[static_cast<std::size_t>(quantity)] = number;
    };
    if (line.projection) {
      set(PlotQuantity::time,
          sim::least_microseconds(sim::projection_of(plan), *line.projection, sim::flat_rates(*gpu_)));
      return point;
    }
    set(PlotQuantity::hbm_traffic, sim::formula_value(std::string(line.family->bytes), plan));
    set(PlotQuantity::flops, sim::formula_value(std::string(line.family->flops), plan));
    set(PlotQuantity::time, sim::least_microseconds(*line.family, plan));
  } catch (const sim::Error& error) {
    point.reason = error.sentence();
  }
  return point;
}

std::optional<std::pair<std::int64_t, std::int64_t>> Plot::crossover(const PlotLine& formula,
                                                                     std::size_t quantity) const {
  const auto dense =
      std::find_if(lines_.begin(), lines_.end(), [](const PlotLine& line) { return line.family != nullptr; });
  bool above = false;
  for (std::size_t n = 0; n < formula.points.size(); ++n) {
    const PlotPoint &least = dense->points[n], &other = formula.points[n];
    if (!least.values || !other.values || (*other.values)[quantity] < 0) return {};
    const bool below = (*other.values)[quantity] < (*least.values)[quantity];
    if (below && above) return std::pair(values_[n - 1], values_[n]);
    if (below) return {};  // below from the first value on
    above = true;
  }
  return {};
}

PlotPoint Plot::simulate(const PlotLine& line, std::int64_t value) const {
  PlotPoint point{value, std::nullopt, {}};
  try {
    const sim::Scenario scenario = scenario_at(line, value);
    const std::int64_t rows = single_rows(sim::make_plan(scenario));
    sim::require(rows <= most_single_rows, "seqlen: ", rows, " single rows are more than the ", most_single_rows,
                 " that are counted between two frames; flashscope sweep counts them");
    const sim::Simulation s = sim::simulate(scenario);
    point.values.emplace();
    for (std::size_t n = 0; n < plot_quantities; ++n) {
      const double amount = quantity_of(s, PlotQuantity(n));
      (*point.values)[n] = std::isnan(amount) ? -1 : amount;  // absent
    }
  } catch (const sim::Error& error) {
    point.reason = error.sentence();
  }
  return point;
}

}  // namespace explorer
