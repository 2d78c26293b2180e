// One simulated scenario with all its meters: what commands print and what the explorer will draw.
#pragma once
#include <optional>

#include "sim/model/accuracy.h"
#include "sim/model/kernel_meters.h"
#include "sim/model/memory.h"
#include "sim/model/value_check.h"

namespace sim {

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
  double microseconds = 0;  ///< predicted, sum over kernels; not a number where has_time() is false of the GPU
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

}  // namespace sim
