#include "sim/machine/timing_constants.h"

namespace sim {

const std::vector<FittedConstant>& fitted_constants() {
  static const std::vector<FittedConstant> constants = {
      {"instruction_overhead", "1", "instructions issued for one that computes", &TimingConstants::instruction_overhead,
       1, 5},
      {"phase_cycles", "cycles", "in which the warps of a CTA meet and refill their pipes between phases",
       &TimingConstants::phase_cycles, 0, 1000},
      {"instruction_cycles", "cycles", "of an issue slot for an instruction of a compiled main loop",
       &TimingConstants::instruction_cycles, 1, 4},
      {"product_cycles", "cycles", "of an issue slot for an mma of it", &TimingConstants::product_cycles, 4, 16},
      {"compiled_phase_cycles", "cycles", "as phase_cycles, of kernels whose main loop is known",
       &TimingConstants::compiled_phase_cycles, 0, 1000},
      {"dependent_cycles", "cycles", "from an instruction of a warp to its next, in a CTA with roles",
       &TimingConstants::dependent_cycles, 1, 8},
      {"turn_cycles", "cycles", "from the last instruction of a role's products until the next role has the turn",
       &TimingConstants::turn_cycles, 0, 500},
      {"row_block_cycles", "cycles", "of a row block of a CTA with roles beyond its schedule",
       &TimingConstants::row_block_cycles, 0, 4000},
      {"framework_efficiency", "1", "part of the HBM's peak bandwidth that kernels of standard attention reach",
       &TimingConstants::framework_efficiency, 0.2, 1},
  };
  return constants;
}

}  // namespace sim
