// The problem that the grid of a profiled launch shows: its axes are products of batch entries, heads, row blocks
// and parts of the keys, in an order that each kernel chooses.
#pragma once
#include <string>
#include <vector>

#include "kernels/profile/profile.h"
#include "sim/model/simulation.h"

namespace profile {

/// Compares the grids of one pass, a launch for each kernel of the program, with the program's. Returns a sentence if
/// one does not fit the scenario, but does with another batch, other heads, or another number of parts or row blocks:
/// "the grid (32, 4, 32) is that of --batch 4, not 8". "" if all fit, and for grids that do not follow the problem, as
/// those of persistent kernels.
std::string other_grid(const sim::Simulation& program, const std::vector<const Launch*>& pass);

}  // namespace profile
