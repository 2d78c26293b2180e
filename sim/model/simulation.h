// One simulated scenario with all its meters: printed by commands, drawn by the explorer.
#pragma once
#include <optional>

#include "sim/model/accuracy.h"
#include "sim/model/kernel_meters.h"
#include "sim/model/kv_pages.h"
#include "sim/model/memory.h"
#include "sim/model/several_gpus.h"
#include "sim/model/steps.h"
#include "sim/model/value_check.h"

namespace sim {

/// Bytes that one line of a listing moves over the whole grid.
struct LineTraffic {
  std::string kernel;
  int line = 0;
  std::string text;  ///< the line of the listing, with its comment
  std::string code;  ///< the line without its comment
  Traffic traffic;
};

/// HBM traffic and time between which those of a run are, sums over kernels: KernelMeters::hbm_range.
struct RunRange {
  Bytes low, high, in_step;
  double least_microseconds = 0, most_microseconds = 0;
};

/// On several GPUs all numbers are those of one, the slowest of each step, summed over its steps, and the plan is that
/// of the problem that it spends most time on, with the scenario of all. In a run over steps, plan and memory are those
/// of the last one, all other numbers sums over the steps.
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
  std::vector<CacheFit> cache_fits;  ///< sequences that fit into HBM; set by simulate() for a paged run of a model
  std::optional<RunRange> range;     ///< set by add_range() if a kernel has a wide one
  double microseconds = 0;           ///< predicted, sum over kernels; NaN if has_time() is false for the GPU
  Budget budget;                     ///< microseconds by cause
  Accuracy accuracy;                 ///< accuracy of microseconds
  std::string bound_by;              ///< bound of the longest kernel
  std::vector<std::string> warnings;
  std::optional<ValueChecks> check;  ///< set if values were computed
  std::optional<Steps> steps;        ///< set for a run over steps
  std::optional<GpuMeters> gpus;     ///< set for a run on several GPUs
  const KernelMeters& longest_kernel() const;
  const Plan& plan_in_memory() const;  ///< the plan, or of several GPUs the one whose tensors take most of the memory
};

/// True if kernels of a plan multiply by wgmma on a card whose clock under wgmma is not known: they are timed at its
/// clock_hz, which power may not permit.
bool lacks_wgmma_clock(const Plan& plan);

/// Warnings on the clock that times of kernels of wgmma are predicted at, and on cards with other instructions.
std::vector<std::string> doubts_about_clock(const Plan& plan);

/// Counts a scenario and reads every meter. O(row blocks).
Simulation simulate(const Scenario& scenario);

/// Adds the range of HBM traffic and time, if a kernel has a wide one; not of a run over steps. Cost: up to six times
/// that of simulate().
void add_range(Simulation& simulation);

/// Simulates standard attention on the same problem, see standard_of(). Empty for standard attention itself, for a run
/// over steps or on several GPUs, and if no tiles fit, because a head is too wide.
std::optional<Simulation> simulate_standard(const Scenario& scenario);

/// Reads the meters of a plan whose launches are counted already, one trace each.
Simulation read_meters(Plan plan, std::vector<Trace> traces);

}  // namespace sim
