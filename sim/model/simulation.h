// One simulated scenario with all its meters: what commands print and what the explorer will draw.
#pragma once
#include <optional>

#include "sim/model/accuracy.h"
#include "sim/model/kernel_meters.h"
#include "sim/model/memory.h"
#include "sim/programs/run.h"

namespace sim {

/// max |O - reference| over all elements, absolute and relative to max |reference|. Elements where both are the same
/// non-finite value agree; a lone NaN or infinity makes both errors infinite.
struct ValueCheck {
  double max_abs_error = 0, max_rel_error = 0;
};

/// The checks of every output: O and, with a backward pass, dQ, dK and dV.
struct ValueChecks {
  std::vector<std::pair<Tensor, ValueCheck>> by_tensor;
  ValueCheck worst() const;  ///< the largest of each error
};

/// Bytes that one line of a listing moves over the whole grid.
struct LineTraffic {
  std::string kernel;
  int line = 0;
  std::string text;  ///< the line as it stands in the listing, with its comment
  std::string code;  ///< the line without its comment
  Traffic traffic;
};

struct Simulation {
  Plan plan;
  std::vector<Trace> traces;  ///< counted, one per kernel
  Totals totals;
  std::vector<LineTraffic> lines;  ///< in the order of the launches and of their listings
  std::vector<KernelMeters> kernels;
  std::map<Tensor, Traffic> hbm_by_tensor;
  Traffic hbm;
  Traffic compulsory;
  MemoryMeter memory;
  double microseconds = 0;  ///< predicted, sum over kernels
  Budget budget;            ///< the same by cause
  Accuracy accuracy;        ///< of microseconds
  std::string bound_by;     ///< of the longest kernel
  std::vector<std::string> warnings;
  std::optional<ValueChecks> check;  ///< when values were computed
  const KernelMeters& longest_kernel() const;
};

/// Counts a scenario and reads every meter. O(row blocks).
Simulation simulate(const Scenario& scenario);

/// Standard attention on the same problem, see standard_of(). Nothing for standard attention itself, and where it has
/// no tiles that fit: of a head that is too wide.
std::optional<Simulation> simulate_standard(const Scenario& scenario);

/// The meters of a plan whose launches are counted already, one trace each.
Simulation read_meters(Plan plan, std::vector<Trace> traces);

/// Compares values with the reference in double.
ValueCheck check_values(const std::vector<float>& values, const std::vector<double>& reference);

/// Compares what a plan computed with the reference in double: O and the gradients of its passes.
ValueChecks check_outputs(const Plan& plan, const AttentionInputs& inputs, const AttentionOutputs& outputs);

/// "inputs: 3 of 65,536 values of Q are NaN or infinite" and the like; empty when all are finite.
std::vector<std::string> nonfinite_warnings(const AttentionInputs& inputs);

}  // namespace sim
