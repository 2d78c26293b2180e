// The constants of the timing model that no data sheet gives. They are fitted to published times; only this
// file defines them.
#pragma once
#include <string_view>
#include <vector>

namespace sim {

/// GPU on whose published times the constants were fitted. Times of all others are held out, but for those of
/// sim/model/fitted_times.h.
inline constexpr std::string_view fitted_on = "a100-sxm-80gb";

inline constexpr std::string_view compiled_fitted_on = "h100-sxm";  ///< GPU of recordings that others were fitted to

struct TimingConstants {
  double instruction_overhead = 1.69;  ///< instructions issued for one that computes: moves, addresses, predicates
  double phase_cycles = 170;  ///< cycles in which the warps of a CTA synchronise and refill their pipes between phases
  double instruction_cycles = 1.4;     ///< issue-slot cycles of an instruction of a compiled main loop
  double product_cycles = 7.25;        ///< issue-slot cycles of one of its mma m16n8k16
  double compiled_phase_cycles = 150;  ///< phase_cycles of kernels whose main loop is known
  double dependent_cycles = 3.25;      ///< cycles from an instruction of a warp to its next, in a CTA with roles
  double turn_cycles = 136;            ///< cycles from the start of a turn's last product instruction to the next turn
  double row_block_cycles = 500;       ///< cycles of a row block of a CTA with roles beyond its schedule
  double framework_efficiency = 0.52;  ///< part of the HBM's peak bandwidth that kernels of standard attention reach
  double broadcast_cycles = 0.88;      ///< issue cycles of an SM for an entry of a kernel that broadcasts an operand
  double reduced_cycles = 0.25;        ///< issue cycles of an SM for an entry of a reduction of bytes along rows
};

/// One of the constants, as text. `low` and `high` bound the fit.
struct FittedConstant {
  std::string_view name, unit, meaning;
  double TimingConstants::*value;
  double low, high;
};
const std::vector<FittedConstant>& fitted_constants();

}  // namespace sim
