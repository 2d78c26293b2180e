// Figures recorded on GPUs, in the rows of the verification panel.
#pragma once
#include "kernels/measurements/recorded.h"
#include "viz/model/verification.h"

namespace explorer {

/// The recorded figures for a scenario: of the kernel that runs it unless another one is requested.
std::vector<measurements::Beside> recorded_beside(const std::vector<measurements::Recording>& recordings,
                                                  const sim::Scenario& scenario);

/// Writes recorded figures into the column `recorded`. If the program adds by atomics, tile totals have none: the
/// hardware counts reductions separately. Tolerances are those of `verify`, and no row fails because of a recording.
void add_recorded(std::vector<ComparedRow>& rows, const sim::Simulation& simulation,
                  const std::vector<measurements::Beside>& recorded);

}  // namespace explorer
