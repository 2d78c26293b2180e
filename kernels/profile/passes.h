// Which launches of a profile are one pass of a program, and which repeat it. Launches with the same name, grid and
// block repeat one kernel; in a pass of several kernels their sequence is repeated.
#pragma once
#include <cstddef>
#include <vector>

#include "kernels/profile/profile.h"

namespace profile {

/// Every pass has the same kernels at the same positions.
struct Passes {
  std::vector<std::vector<const Launch*>> passes;  ///< at least one, unless there are no launches
  std::vector<const Launch*> left_out;             ///< launches that fit nowhere, in the order of the file
  std::size_t launches() const { return passes.empty() ? 0 : passes.front().size(); }
};

/// Finds the passes of a program of `kernels` kernels:
///   1. a sequence that repeats from beginning to end; launches after the last whole one are left out;
///   2. else the same without the kernels that are launched more seldom, or at another rate, than those of the
///   sequence:
///      a pass of as many launches as the program has kernels comes first, then that which holds the most launches;
///   3. else a single pass of all launches.
/// In 2 a kernel whose name says that it is attention comes before others, where some say so and some do not.
Passes find_passes(const std::vector<const Launch*>& launches, std::size_t kernels);

}  // namespace profile
