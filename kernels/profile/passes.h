// Finds the launches of a profile that are one pass of a program, and those that repeat it. Launches with equal name,
// grid and block repeat one kernel; in a pass of several kernels their sequence is repeated.
#pragma once
#include <cstddef>
#include <vector>

#include "kernels/profile/profile.h"

namespace profile {

/// Passes with equal kernels at equal positions.
struct Passes {
  std::vector<std::vector<const Launch*>> passes;  ///< at least one, unless there are no launches
  std::vector<const Launch*> left_out;             ///< launches that fit no pass, in file order
  std::size_t launches() const { return passes.empty() ? 0 : passes.front().size(); }
};

/// Finds the passes of a program of `kernels` kernels:
///   1. a sequence that repeats from beginning to end; launches after the last whole one are left out;
///   2. else as 1, ignoring kernels launched less often, or at another rate, than those of the sequence: prefers a pass
///      with one launch per kernel of the program, then the sequence that covers the most launches;
///   3. else a single pass of all launches.
/// In 2, if only some kernels' names contain attention, these take precedence.
Passes find_passes(const std::vector<const Launch*>& launches, std::size_t kernels);

}  // namespace profile
