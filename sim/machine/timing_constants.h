// The constants of the timing model that no data sheet gives. They are fitted to published times; this is the only
// place where they stand.
#pragma once
#include <string_view>
#include <vector>

namespace sim {

/// The GPU on whose published times they were fitted; times of all others are held out, but for those of these
/// recordings, to which the constants of compiled kernels were fitted.
inline constexpr std::string_view fitted_on = "a100-sxm-80gb";
inline constexpr std::string_view compiled_fitted_on = "h100-sxm";
inline constexpr std::string_view compiled_fitted_to[] = {"h100-80gb-hbm3-2026-11-23-0709-bench",
                                                          "h100-80gb-hbm3-2026-11-23-0709-tiles"};
bool is_fitted_group(std::string_view group);  ///< whether it is one of them

struct TimingConstants {
  double instruction_overhead = 1.69;   ///< instructions issued for one that computes: moves, addresses, predicates
  double phase_cycles = 170;            ///< in which the warps of a CTA meet and refill their pipes between phases
  double instruction_cycles = 1.4;      ///< of an issue slot, for an instruction of a compiled main loop
  double product_cycles = 7.25;         ///< of an issue slot, for an mma m16n8k16 of it
  double compiled_phase_cycles = 150;   ///< as phase_cycles, of kernels whose main loop is known
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
