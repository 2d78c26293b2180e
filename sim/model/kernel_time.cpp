#include "sim/model/kernel_time.h"

#include <algorithm>
#include <map>
#include <queue>

#include "sim/model/cta_time.h"

namespace sim {
namespace {

constexpr double port_bytes_per_cycle = 64;  // of one SM, to and from the L2

double real(std::int64_t n) { return static_cast<double>(n); }

/// What all SMs share, in bytes per cycle of the SMs' clock, and who is the slower of the two for this kernel.
struct Chip {
  double l2, hbm, hbm_share;
  bool hbm_is_slower() const { return hbm_share / hbm > 1 / l2; }
};

Chip chip_of(const Plan& plan, const KernelDemand& demand) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const double hz = real(gpu.clock_hz);
  return {real(gpu.l2_bytes_per_second) / hz,
          plan.scenario.constants.hbm_efficiency * real(gpu.hbm_bytes_per_second) / hz,
          real(demand.hbm.count()) / std::max(1.0, real(demand.tile.count()))};
}

SmPort port_of(const Plan& plan, const Chip& chip, double busy_sms) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  SmPort port;
  port.cycles_per_byte = std::max({1 / port_bytes_per_cycle, busy_sms / chip.l2, busy_sms * chip.hbm_share / chip.hbm});
  port.latency = real(gpu.l2_latency_cycles) +
                 std::min(1.0, chip.hbm_share) * real(gpu.hbm_latency_cycles - gpu.l2_latency_cycles);
  port.turnover = plan.scenario.constants.turnover_cycles;
  return port;
}

/// Turns of a CTA that takes a whole head: every live tile of it.
Turns turns_of_head(const Shape& shape, GridShape grid) {
  const Blocking keys{shape.seqlen_k, grid.bc};
  std::int64_t turns = 0;
  for (std::int64_t j = 0; j < keys.count(); ++j) turns += visit_queries(shape, grid, j).live.size();
  if (grid.by_kv_head()) turns = checked_multiply(turns, shape.heads / shape.kv_heads);
  return {real(keys.count()), real(turns)};
}

Turns turns_of_class(const Plan& plan, const Launch& launch, const ClassKey& key) {
  const bool whole_head = launch.grid.kind == GridKind::per_head || launch.grid.kind == GridKind::per_kv_head;
  if (whole_head) return turns_of_head(plan.problem.shape, launch.grid);
  return {1, std::max(1.0, real(key.full_tiles + key.masked_tiles))};
}

std::string resource_of(const Budget& budget, const Chip& chip) {
  std::map<std::string, double> time;
  for (int p = 0; p < pipe_count; ++p) {
    const Pipe pipe = static_cast<Pipe>(p);
    time[std::string(name_of(pipe))] = budget[work_on(pipe)] + budget[busy(pipe)];
  }
  time[chip.hbm_is_slower() ? "hbm" : "l2"] = budget[Cause::bandwidth];
  time["latency"] = budget[Cause::data];
  for (const Cause cause : {Cause::barrier, Cause::launch, Cause::tail}) {
    time[std::string(name_of(cause))] = budget[cause];
  }
  return std::max_element(time.begin(), time.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
}

}  // namespace

SmLoad sm_load(const Plan& plan, const Launch& launch, const KernelDemand& demand) {
  const std::int64_t ctas = make_grid(plan.problem.shape, launch.grid).ctas(), sms = plan.scenario.gpu->sm_count;
  return {port_of(plan, chip_of(plan, demand), real(std::min(ctas, sms))),
          static_cast<int>(std::min(demand.residents, ceil_div(ctas, sms)))};
}

KernelTime predict(const Plan& plan, const Launch& launch, const KernelDemand& demand) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const Grid grid = make_grid(plan.problem.shape, launch.grid);
  const SmLoad load = sm_load(plan, launch, demand);
  const CtaTime cta(plan, launch, load.port, load.residents);
  const std::int64_t places = std::min(grid.ctas(), gpu.sm_count * load.residents);
  std::priority_queue<double, std::vector<double>, std::greater<>> slots;
  for (std::int64_t n = 0; n < places; ++n) slots.push(0);
  double end = 0;
  Budget work;
  for (const Run& run : grid.runs) {
    const Budget budget = cta.at(turns_of_class(plan, launch, run.key));
    work.add(budget, real(run.count) * real(grid.repeats));
  }
  for (std::int64_t head = 0; head < grid.repeats; ++head) {
    for (const Run& run : grid.runs) {
      const double t = cta.at(turns_of_class(plan, launch, run.key)).total();
      for (std::int64_t n = 0; n < run.count; ++n) {
        const double e = slots.top() + t;
        slots.pop();
        slots.push(e);
        end = std::max(end, e);
      }
    }
  }
  KernelTime time;
  const double microseconds_per_cycle = 1e6 / real(gpu.clock_hz), launch_time = real(gpu.launch_nanoseconds) * 1e-3;
  time.microseconds = launch_time + end * microseconds_per_cycle;
  time.budget.add(work, microseconds_per_cycle / real(places));
  time.budget[Cause::tail] = end * microseconds_per_cycle - time.budget.total();
  time.budget[Cause::launch] += launch_time;
  time.bound_by = resource_of(time.budget, chip_of(plan, demand));
  return time;
}

}  // namespace sim
