// The order in which the CTAs of a kernel begin, as runs of CTAs that are alike.
#pragma once
#include <vector>

#include "sim/model/kernel_time.h"

namespace sim {

/// One run: the class of batch entries that has it, and its place among the runs of a head of that class.
struct IssuedRun {
  std::size_t of_class = 0, run = 0;
};

/// The runs that grid_in_time() numbers, in its order: class after class, or those with the most work first. Cost: that
/// of predict().
std::vector<IssuedRun> issued_runs(const Plan& plan, const Launch& launch, const KernelDemand& demand);

}  // namespace sim
