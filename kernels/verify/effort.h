// Estimates the cost of a verification on this machine, so that endless ones are rejected.
#pragma once
#include <cstdint>
#include <string_view>

#include "sim/model/simulation.h"

namespace kernels {

/// Estimates the seconds of a run of the kernels on the emulated device, within a factor of 3: FLOPs over a measured
/// rate.
double emulated_seconds(const sim::Simulation& program, std::string_view kernel, int workers);

/// Throws sim::Error if values, reference and device memory do not fit in this machine, if a head has too many scores
/// for the plain formula, or if `runs` runs on the emulated device (0: on a GPU) take more than an hour.
void check_effort(const sim::Simulation& program, std::string_view kernel, int runs, int workers);

}  // namespace kernels
