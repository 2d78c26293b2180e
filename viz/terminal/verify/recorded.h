// flashscope verify --device recorded: compares recordings on GPUs with the simulation. Nothing runs: any size works.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

/// Prints the recorded rows of the scenario, or of those in a list that have some, on the recorded GPU unless --gpu
/// names one. Differences are findings, not failures. Throws MissingCapability if nothing is recorded, and sim::Error
/// for options of runs.
int run_recorded(const Arguments& arguments);

}  // namespace terminal
