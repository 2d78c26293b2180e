// Parts of a plan with one maximum for all rows (Program::unified_max). Internal to sim/programs.
#pragma once
#include "sim/programs/plan.h"

namespace sim {

/// Throws Error for numbers that --phi, --range and --fallback cannot have.
void check_unified_max(const Scenario& scenario);

/// Restricts the launches that recompute row blocks (Launch::needed) to the first ones, class after class.
void restrict_to_fallback(Plan& plan);

}  // namespace sim
