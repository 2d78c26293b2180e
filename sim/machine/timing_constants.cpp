#include "sim/machine/timing_constants.h"

namespace sim {

const std::vector<FittedConstant>& fitted_constants() {
  static const std::vector<FittedConstant> constants = {
      {"tensor_efficiency", "1", "of the rate of mma that a kernel's products reach",
       &TimingConstants::tensor_efficiency, 0.3, 1},
      {"iteration_cycles", "cycles", "of a loop's turn beside its work", &TimingConstants::iteration_cycles, 0, 2000},
      {"cta_cycles", "cycles", "of a CTA's start and end on its SM", &TimingConstants::cta_cycles, 0, 10000},
      {"instructions_per_value", "1", "instructions of a value of S beside the arithmetic",
       &TimingConstants::instructions_per_value, 0, 8},
  };
  return constants;
}

}  // namespace sim
