// How long one CTA of a kernel takes while its SM holds others like it, and what it waits for.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "sim/model/loop_stretch.h"
#include "sim/programs/run.h"

namespace sim {

/// The events of one CTA as tasks of its SM. A phase begins at a product and at the first other work after one; it
/// waits until the warps have met and the pipes are full again. Copies run ahead as far as their place in SMEM
/// allows, or are issued at their turn (Launch::prefetches, Launch::tiles_in_flight).
std::vector<Task> tasks_of(const Trace& trace, const Launch& launch, const SmRates& rates);

/// The CTA with the most iterations among those of one head.
CtaPlace busiest_cta(const Shape& shape, GridShape grid);

/// The time of a CTA as a function of its iterations. CTAs of a few iterations are scheduled, in an SM whose slots are
/// never empty; between two of them time is linear. Beyond the longest of them each further iteration takes what those
/// in its middle take, while all neighbours are in their loops as well. Every part is at least 0, and the whole at
/// least residents x the work of a CTA on any pipe and at the port; within 3 % of a schedule of every iteration, 6 %
/// where the last block of keys is short (tests/sim/time_test.cpp).
class CtaTime {
 public:
  CtaTime(const Plan& plan, const Launch& launch, const SmPort& port, int residents);
  Budget at(const Iterations& iterations);

 private:
  /// A CTA of few iterations, and what more of them add.
  struct Sample {
    Iterations iterations;
    Budget budget;
    Budget per_inner;            ///< of one more iteration of the innermost loop
    Budget per_outer;            ///< of one more of the outer loop, where two are nested
    double per_outer_inner = 0;  ///< the inner iterations of that one
    double inner(double outer) const;
    Budget at(double outer, double inner) const;
  };
  const Sample& sample(std::size_t n);
  Sample measured(std::size_t n) const;
  Trace replayed(std::size_t iterations) const;

  Plan plan_;
  const Launch& launch_;
  SmPort port_;
  int residents_;
  SmRates rates_;
  CtaPlace place_;
  std::size_t outer_ = 0;         ///< iterations of a sample's outer loop over keys; 0: there is none
  std::size_t rows_of_head_ = 0;  ///< where a CTA loops over heads and their row blocks: those of one head
  std::array<std::optional<Sample>, 5> samples_;  ///< of 1, 2, 4 ... iterations, made when they are needed
};

}  // namespace sim
