#include "sim/machine/timing_constants.h"

namespace sim {

const std::vector<FittedConstant>& fitted_constants() {
  static const std::vector<FittedConstant> constants = {
      {"instructions_per_value", "1", "instructions issued for one that computes",
       &TimingConstants::instructions_per_value, 1, 5},
      {"phase_cycles", "cycles", "between dependent phases of a CTA", &TimingConstants::phase_cycles, 0, 1000},
      {"turnover_cycles", "cycles", "between two CTAs in one place", &TimingConstants::turnover_cycles, 0, 8000},
      {"hbm_efficiency", "1", "part of the HBM's bandwidth that the kernels of unfused attention reach",
       &TimingConstants::hbm_efficiency, 0.3, 1},
  };
  return constants;
}

}  // namespace sim
