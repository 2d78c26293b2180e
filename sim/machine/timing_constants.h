// The constants of the timing model that no data sheet gives. They are fitted to published times; this is the only
// place where they stand.
#pragma once
#include <string_view>
#include <vector>

namespace sim {

/// The GPU on whose published times they were fitted; times of all others are held out.
inline constexpr std::string_view fitted_on = "a100-sxm-80gb";

struct TimingConstants {
  double instructions_per_value = 2.1;  ///< issued for one that computes: moves, addresses, predicates come along
  double phase_cycles = 200;      ///< from a barrier or the end of a product to the next phase's first instruction
  double turnover_cycles = 1000;  ///< from the end of a CTA to the first instruction of the next in its place
  double hbm_efficiency = 0.55;   ///< part of the HBM's bandwidth that the kernels of unfused attention reach
};

/// One of them in words. `low` and `high` bound the fit.
struct FittedConstant {
  std::string_view name, unit, meaning;
  double TimingConstants::*value;
  double low, high;
};
const std::vector<FittedConstant>& fitted_constants();

}  // namespace sim
