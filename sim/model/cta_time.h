// Time of one CTA of a kernel while its SM runs others like it, and the causes of its waits.
#pragma once
#include <array>
#include <optional>

#include "sim/model/sampled_cta.h"

namespace sim {

/// The time of a CTA as a function of its iterations. CTAs of a few iterations are scheduled, in an SM whose slots are
/// never empty; between two of them time is linear. Beyond the longest of them each further iteration takes as long as
/// those in its middle, while all neighbours are in their loops as well. Every part is at least 0, and the whole at
/// least residents x the work of a CTA on any pipe and at the port; within 3 % of a schedule of every iteration, 6 %
/// if the last block of keys is short (tests/sim/time_test.cpp).
class CtaTime {
 public:
  /// `cta` outlives it.
  CtaTime(SampledCta& cta, const SmPort& port, int residents);
  Budget at(const Iterations& iterations);
  /// Cycles by which the first part of the grid that a persistent CTA takes is longer than the others, of which at()
  /// tells; 0 of other CTAs.
  double startup() const;

 private:
  /// A CTA of few iterations, and what more of them add.
  struct Sample {
    Iterations iterations;
    Budget budget;
    Budget per_inner;            ///< budget of one more iteration of the innermost loop
    Budget per_outer;            ///< budget of one more of the outer loop, if two are nested
    double per_outer_inner = 0;  ///< the inner iterations of that one
    double startup = 0;          ///< startup() of a persistent CTA
    double inner(double outer) const;
    Budget at(double outer, double inner) const;
  };
  const Sample& sample(std::size_t n);
  Sample measured(const SampledReplay& replay) const;
  Sample measured_roles(std::size_t n);

  SampledCta& cta_;
  SmPort port_;
  int residents_;
  std::array<std::optional<Sample>, sample_count> samples_;  ///< made when they are needed
};

}  // namespace sim
