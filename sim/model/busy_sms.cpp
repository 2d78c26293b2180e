#include "sim/model/busy_sms.h"

#include <algorithm>

#include "sim/programs/steps.h"

namespace sim {
namespace {

constexpr std::int64_t usual_heads = 32;     // heads of models with 7 to 8 billion parameters
constexpr std::int64_t largest_step = 1024;  // times the batch of the runs

Scenario resized(Scenario scenario, const BatchAndHeads& sizes) {
  Shape& shape = scenario.shape;
  shape.kv_heads = checked_multiply(shape.kv_heads, sizes.heads / shape.heads);
  shape.batch = sizes.batch;
  shape.heads = sizes.heads;
  return scenario;
}

enum class Filled { yes, no, impossible };

Filled filled(const Scenario& scenario) {
  try {
    scenario.shape.check();
    const Simulation run = simulate(last_step_of(scenario));
    if (run.memory.peak_hbm.count() > scenario.gpu->hbm_bytes) return Filled::impossible;
    return busy_sms(run).nearly_all() ? Filled::yes : Filled::no;
  } catch (const Error&) {
    return Filled::impossible;
  }
}

/// Worst outcome of all runs: impossible if it is impossible for one.
Filled all_filled(const std::vector<Simulation>& runs, const BatchAndHeads& sizes) {
  Filled worst = Filled::yes;
  for (const Simulation& run : runs) worst = std::max(worst, filled(resized(run.plan.scenario, sizes)));
  return worst;
}

}  // namespace

BusySms busy_sms(const Simulation& simulation, const KernelMeters& kernel) {
  return {kernel.time.sms_busy, simulation.plan.scenario.gpu->sm_count};
}

std::int64_t ctas_side_by_side(const Simulation& simulation, const KernelMeters& kernel) {
  return std::min(kernel.ctas_per_sm, ceil_div(kernel.ctas, simulation.plan.scenario.gpu->sm_count));
}

BusySms busy_sms(const Simulation& simulation) { return busy_sms(simulation, simulation.longest_kernel()); }

std::optional<BatchAndHeads> batch_that_fills(const std::vector<Simulation>& runs) {
  const Shape& shape = runs.front().plan.scenario.shape;
  BatchAndHeads sizes{shape.batch, shape.heads == 1 ? usual_heads : shape.heads};
  for (std::int64_t step = 1; step <= largest_step; step *= 2) {
    sizes.batch = checked_multiply(shape.batch, step);
    const Filled outcome = all_filled(runs, sizes);
    if (outcome != Filled::no) return outcome == Filled::yes ? std::optional(sizes) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace sim
