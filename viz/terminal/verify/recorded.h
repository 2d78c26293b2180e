// flashscope verify --device recorded: what was recorded on GPUs beside the simulation. Nothing runs, so any size will
// do.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

/// Prints the recorded rows of the scenario, or of those of a list that have some; on the GPU that was recorded unless
/// --gpu names one. Differences are findings and no failures. Throws MissingCapability when nothing is recorded, and
/// sim::Error for options of a kernel that runs.
int run_recorded(const Arguments& arguments);

}  // namespace terminal
