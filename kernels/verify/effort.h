// What verifying costs on this machine, so that what would never end is refused.
#pragma once
#include <cstdint>
#include <string_view>

#include "sim/model/simulation.h"

namespace kernels {

/// Seconds that one run of the kernels takes on the emulated device: FLOPs over a measured rate. Within a factor of 3.
double emulated_seconds(const sim::Simulation& program, std::string_view kernel, int workers);

/// Throws sim::Error when values, reference and device memory do not fit in this machine, when a head has too many
/// scores for the plain formula, and when `runs` runs on the emulated device (0: on a GPU) take more than an hour.
void check_effort(const sim::Simulation& program, std::string_view kernel, int runs, int workers);

}  // namespace kernels
