// A run of decoding over steps (sim/programs/steps.h) as a sum: the steps follow one another, each with its own
// kernels, and with an L2 that is cold as before every kernel.
//
// Counts and compulsory traffic are exact. Time and HBM traffic are those of all steps up to 256; of longer runs of 256
// of their lengths, and linear between them. HBM traffic stays between the compulsory and the tile traffic of the run.
#pragma once
#include <vector>

#include "sim/model/kernel_meters.h"

namespace sim {

inline constexpr std::int64_t most_timed_steps = 256;

/// One step: all its kernels.
struct StepMeters {
  std::int64_t keys = 0;
  double microseconds = 0;
  Bytes tile, hbm;
};

struct Steps {
  std::int64_t count = 0;
  StepMeters first, last;
};

/// Replaces the counts and the meters of the kernels of the plan, which is that of the last step, by their sums over
/// all steps. SMEM, CTAs on an SM, iterations, busy SMs, and the bound are those of the last step.
Steps sum_over_steps(const Plan& plan, std::vector<Trace>& traces, std::vector<KernelMeters>& kernels);

/// Counts and meters of the kernels of a plan, and the number of times that it runs.
struct Summand {
  const std::vector<Trace>& traces;
  const std::vector<KernelMeters>& kernels;
  std::int64_t times = 1;
};

/// Replaces the counts and the meters of kernels, which are those of one summand, by the sums over all.
void sum_up(const std::vector<Summand>& summands, const DeviceSpec& gpu, std::vector<Trace>& traces,
            std::vector<KernelMeters>& kernels);

}  // namespace sim
