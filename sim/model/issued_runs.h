// Issue order of a kernel's CTAs, as runs of equal CTAs.
#pragma once
#include <vector>

#include "sim/model/kernel_time.h"

namespace sim {

/// One run: its class of batch entries, and its index among the runs of a head of that class.
struct IssuedRun {
  std::size_t of_class = 0, run = 0;
};

/// Returns the runs that grid_in_time() numbers, in its order: by class, or those with the most work first. Cost: that
/// of predict().
std::vector<IssuedRun> issued_runs(const Plan& plan, const Launch& launch, const KernelDemand& demand);

}  // namespace sim
