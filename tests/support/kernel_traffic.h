// Kernels of a scenario for tests of HBM traffic after L2, and sums over its tensors.
#pragma once
#include <catch2/catch.hpp>
#include <map>

#include "sim/model/hbm_traffic.h"
#include "sim/model/simulation.h"
#include "tests/support/random_scenario.h"

namespace sim {

inline constexpr std::int64_t endless = std::int64_t{1} << 50;

using ByTensor = std::map<Tensor, Traffic>;

inline Traffic sum_of(const ByTensor& traffic) {
  Traffic sum;
  for (const auto& [tensor, moved] : traffic) sum += moved;
  return sum;
}

/// Calls check(problem, launch, counted trace) for every kernel of a scenario.
template <class Check>
void for_kernels(const Scenario& s, Check check) {
  INFO(describe(s));
  const Plan plan = make_plan(s);
  const std::vector<Trace> traces = count(plan);
  for (std::size_t k = 0; k < traces.size(); ++k) {
    INFO(plan.launches[k].name);
    check(plan, plan.launches[k], traces[k]);
  }
}

/// Accesses of a kernel, of each class of a ragged batch.
inline std::vector<LaunchAccesses> accesses_of(const Plan& plan, const Launch& launch) {
  std::vector<LaunchAccesses> accesses;
  for (const Plan& c : classes_of(plan)) {
    const Launch& of_class = plan.classes == nullptr ? launch : launch_of(c, launch);
    accesses.emplace_back(c.problem, of_class, count(c, of_class));
  }
  return accesses;
}

/// HBM traffic of a kernel with `in_flight` CTAs at a time, each alone on an SM, that wait for no HBM.
inline ByTensor hbm_of(const Plan& plan, const Launch& launch, std::int64_t in_flight, std::int64_t capacity,
                       WalkRule rule = WalkRule::free) {
  GridPace pace{{1000, 500}, {}};
  pace.chip.slots.sm_count = in_flight;
  WalkOptions options;
  options.rule = rule;
  options.thinned = 1;
  return hbm_traffic(plan, launch, accesses_of(plan, launch), pace, capacity, options).by_tensor;
}

}  // namespace sim
