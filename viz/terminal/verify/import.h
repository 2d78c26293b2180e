// flashscope verify --import: compares a profile of any kernel with the program of the scenario.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

/// True if --import is given. Throws sim::Error for --launch without it.
bool is_import(const Arguments& arguments);

/// Compares and prints; differences are findings, not failures. Throws sim::Error for a file that is not a profile, and
/// for options of runs.
int run_import(const Arguments& arguments);

}  // namespace terminal
