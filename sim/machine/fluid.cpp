#include "sim/machine/fluid.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sim {
namespace {

constexpr double largest = 1e30;  // bytes per cycle: sums of them stay finite

void check(const std::vector<Demand>& groups, double capacity) {
  require(capacity >= 0 && capacity <= largest, "a shared bandwidth of ", capacity,
          " bytes per cycle: allowed are 0 to 1e30");
  for (const Demand& group : groups) {
    require(group.ctas >= 0, "a group of ", group.ctas, " CTAs shares a bandwidth: a group has 0 or more");
    require(group.bytes_per_cycle >= 0 && group.bytes_per_cycle <= largest, "a CTA wants ", group.bytes_per_cycle,
            " bytes per cycle: allowed are 0 to 1e30");
  }
}

/// The most that any CTA gets: who wants least is served first, and the rest divide what is left.
double fair_level(const std::vector<Demand>& groups, double capacity) {
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return groups[a].bytes_per_cycle < groups[b].bytes_per_cycle; });
  double waiting = 0;  // CTAs that are not served yet
  for (const Demand& group : groups) waiting += static_cast<double>(group.ctas);
  for (const std::size_t i : order) {
    const auto ctas = static_cast<double>(groups[i].ctas);
    if (groups[i].bytes_per_cycle * waiting > capacity) return capacity / waiting;
    capacity = std::max(0.0, capacity - groups[i].bytes_per_cycle * ctas);
    waiting -= ctas;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<double> share_fairly(const std::vector<Demand>& groups, double capacity) {
  check(groups, capacity);
  const double level = fair_level(groups, capacity);
  std::vector<double> rates;
  for (const Demand& group : groups) rates.push_back(std::min(group.bytes_per_cycle, level));
  return rates;
}

}  // namespace sim
