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

Chip chip_of(const Plan& plan, const Launch& launch, const KernelDemand& demand) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const double hz = real(gpu.clock_hz);
  const double efficiency = launch.of_framework ? plan.scenario.constants.framework_efficiency : 1;
  return {real(gpu.l2_bytes_per_second) / hz, efficiency * real(gpu.hbm_measured_bytes_per_second) / hz,
          real(demand.hbm.count()) / std::max(1.0, real(demand.tile.count()))};
}

SmPort port_of(const Plan& plan, const Chip& chip, double busy_sms) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  SmPort port;
  port.cycles_per_byte = std::max({1 / port_bytes_per_cycle, busy_sms / chip.l2, busy_sms * chip.hbm_share / chip.hbm});
  const double l2_latency = (real(gpu.l2_latency_cycles) + real(gpu.l2_far_latency_cycles)) / 2;
  port.latency = l2_latency + std::min(1.0, chip.hbm_share) * (real(gpu.hbm_latency_cycles) - l2_latency);
  port.turnover = real(gpu.cta_turnover_cycles);
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

/// When the last CTA ends: each goes in issue order to the place that is free first.
double makespan(const Grid& grid, const std::vector<double>& cycles, std::int64_t places) {
  if (grid.runs.size() == 1) return cycles[0] * real(ceil_div(grid.ctas(), places));
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (std::int64_t n = 0; n < places; ++n) free.push(0);
  double end = 0;
  for (std::int64_t head = 0; head < grid.repeats; ++head) {
    for (std::size_t r = 0; r < cycles.size(); ++r) {
      for (std::int64_t n = 0; n < grid.runs[r].count; ++n) {
        const double finish = free.top() + cycles[r];
        free.pop();
        free.push(finish);
        end = std::max(end, finish);
      }
    }
  }
  return end;
}

}  // namespace

KernelTime predict(const Plan& plan, const Launch& launch, const KernelDemand& demand) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const Grid grid = make_grid(plan.problem.shape, launch.grid);
  const std::int64_t ctas = grid.ctas();
  const std::int64_t residents = std::min(demand.residents, ceil_div(ctas, gpu.sm_count));
  const Chip chip = chip_of(plan, launch, demand);
  const CtaTime cta(plan, launch, port_of(plan, chip, real(std::min(ctas, gpu.sm_count))), static_cast<int>(residents));
  const std::int64_t places = std::min(ctas, gpu.sm_count * residents);
  Budget work;
  std::vector<double> cycles;  // of each run's CTA
  for (const Run& run : grid.runs) {
    const Budget budget = cta.at(turns_of_class(plan, launch, run.key));
    work.add(budget, real(run.count) * real(grid.repeats));
    cycles.push_back(budget.total());
  }
  const double end = makespan(grid, cycles, places);
  KernelTime time;
  const double microseconds_per_cycle = 1e6 / real(gpu.clock_hz), launch_time = real(gpu.launch_nanoseconds) * 1e-3;
  time.microseconds = launch_time + end * microseconds_per_cycle;
  time.budget.add(work, microseconds_per_cycle / real(places));
  time.budget[Cause::tail] = end * microseconds_per_cycle - time.budget.total();
  time.budget[Cause::launch] += launch_time;
  time.bound_by = resource_of(time.budget, chip);
  return time;
}

}  // namespace sim
