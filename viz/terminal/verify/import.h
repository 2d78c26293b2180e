// flashscope verify --import: a profile of any kernel beside the program of the scenario.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

/// Whether it was asked for. Throws sim::Error for --launch without it.
bool is_import(const Arguments& arguments);

/// Compares and prints; differences are findings and no failures. Throws sim::Error for a file that is no profile, and
/// for options of a kernel that runs.
int run_import(const Arguments& arguments);

}  // namespace terminal
