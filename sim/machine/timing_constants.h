// The constants of the timing model that no data sheet gives. They are fitted to published times; this is the only
// place where they stand.
#pragma once
#include <string_view>
#include <vector>

namespace sim {

/// The GPU on whose published times they were fitted; times of all others are held out.
inline constexpr std::string_view fitted_on = "a100-sxm-80gb";

struct TimingConstants {
  double instruction_overhead = 1.69;   ///< instructions issued for one that computes: moves, addresses, predicates
  double phase_cycles = 170;            ///< in which the warps of a CTA meet and refill their pipes between phases
  double framework_efficiency = 0.495;  ///< part of the HBM's peak bandwidth that kernels of standard attention reach
};

/// One of them in words. `low` and `high` bound the fit.
struct FittedConstant {
  std::string_view name, unit, meaning;
  double TimingConstants::*value;
  double low, high;
};
const std::vector<FittedConstant>& fitted_constants();

}  // namespace sim
