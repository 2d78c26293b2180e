#include "sim/machine/sm_tally.h"

#include <algorithm>

#include "sim/machine/sm_schedule.h"

namespace sim {

ResourceCycles work_of(std::span<const Task> tasks, const SmPort& port) {
  ResourceCycles cycles{};
  for (const Task& task : tasks) {
    for (std::size_t p = 0; p < task.work.cycles.size(); ++p) cycles[p] += task.work.cycles[p];
    cycles.back() += task.bytes * port.cycles_per_byte;
  }
  return cycles;
}

Budget budget_of_unit(const SmTally& from, const SmTally& to, const ResourceCycles& work, double units, int residents) {
  const auto busiest = static_cast<std::size_t>(std::max_element(work.begin(), work.end()) - work.begin());
  const double done = to.done[busiest] - from.done[busiest];
  if (done > 0) {
    const double pieces = units * done / work[busiest];
    return Budget{}.add(to.budget, 1 / pieces).add(from.budget, -1 / pieces);
  }
  Budget least;
  const Cause cause = busiest == pipe_count ? Cause::bandwidth : work_on(static_cast<Pipe>(busiest));
  least[cause] = work[busiest] * residents / units;
  return least;
}

}  // namespace sim
