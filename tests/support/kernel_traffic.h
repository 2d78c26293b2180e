// Kernels of a scenario for tests of HBM traffic after L2, and sums over its tensors.
#pragma once
#include <catch2/catch.hpp>
#include <map>

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

}  // namespace sim
