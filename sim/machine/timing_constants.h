// The constants of the timing model that no data sheet gives. They are fitted to published times; this is the only
// place where they stand.
#pragma once
#include <string_view>
#include <vector>

namespace sim {

/// The GPU on whose published times they were fitted; times of all others are held out.
inline constexpr std::string_view fitted_on = "a100-sxm-80gb";

struct TimingConstants {
  double tensor_efficiency = 0.9;     ///< of the rate of mma that a kernel's products reach
  double iteration_cycles = 100;      ///< of a loop's turn beside its work: barriers, pointers, latencies
  double cta_cycles = 1000;           ///< of a CTA's start and end on its SM
  double instructions_per_value = 1;  ///< moves, conversions and addresses beside the arithmetic
};

/// One of them in words. `low` and `high` bound the fit.
struct FittedConstant {
  std::string_view name, unit, meaning;
  double TimingConstants::*value;
  double low, high;
};
const std::vector<FittedConstant>& fitted_constants();

}  // namespace sim
