// How long one CTA of a kernel takes while its SM holds others like it, and what it waits for.
#pragma once
#include <vector>

#include "sim/machine/sm_schedule.h"
#include "sim/programs/run.h"

namespace sim {

/// The events of one CTA as tasks of its SM. A phase begins at a product and at the first other work after one; it
/// waits until the warps have met and the pipes are full again. Copies run ahead as far as their place in SMEM
/// allows, or are issued at their turn (Launch::prefetches).
std::vector<Task> tasks_of(const Trace& trace, bool prefetches, const SmRates& rates);

/// Iterations of a CTA's loops: of the outer loop where two are nested, and of the innermost in all.
struct Iterations {
  double outer = 1, inner = 1;
};

/// Inner iterations: how often the busiest line ran. Outer ones: blocks that the outermost loop took.
Iterations iterations_of(const Trace& trace);

/// The CTA with the most iterations among those of one head.
CtaPlace busiest_cta(const Shape& shape, GridShape grid);

/// The time of a CTA as a function of its iterations. Schedules of a few iterations are run; in between and beyond,
/// time is linear.
class CtaTime {
 public:
  CtaTime(const Plan& plan, const Launch& launch, const SmPort& port, int residents);
  Budget at(const Iterations& iterations) const;

 private:
  struct Sample {
    Iterations iterations;
    Budget budget;
  };
  std::vector<Sample> samples_;
  Budget per_outer_;  ///< added by one more outer iteration
};

}  // namespace sim
