// One simulated scenario with all its meters: what commands print and what the explorer will draw.
#pragma once
#include <optional>

#include "sim/model/kernel_meters.h"
#include "sim/model/memory.h"
#include "sim/programs/run.h"

namespace sim {

/// max |O - reference| over all elements, absolute and relative to max |reference|. Elements where both are the same
/// non-finite value agree; a lone NaN or infinity makes both errors infinite.
struct ValueCheck {
  double max_abs_error = 0, max_rel_error = 0;
};

struct Simulation {
  Plan plan;
  std::vector<Trace> traces;  ///< counted, one per kernel
  Totals totals;
  std::vector<KernelMeters> kernels;
  std::map<Tensor, Traffic> hbm_by_tensor;
  Traffic hbm;
  Traffic compulsory;
  MemoryMeter memory;
  double microseconds = 0;  ///< sum over kernels, a lower bound
  std::string bound_by;     ///< of the longest kernel
  std::vector<std::string> warnings;
  std::optional<ValueCheck> check;  ///< when values were computed
};

/// Counts a scenario and reads every meter. O(row blocks).
Simulation simulate(const Scenario& scenario);

/// Compares outputs with the reference in double.
ValueCheck check_values(const std::vector<float>& o, const std::vector<double>& reference);

/// "inputs: 3 of 65,536 values of Q are NaN or infinite" and the like; empty when all are finite.
std::vector<std::string> nonfinite_warnings(const AttentionInputs& inputs);

}  // namespace sim
