// Parts of a replayed CTA whose time stands for that of more iterations.
#pragma once
#include <span>
#include <vector>

#include "sim/machine/sm_schedule.h"
#include "sim/trace/trace.h"

namespace sim {

/// Events, or tasks, [begin, end) of a CTA.
struct Stretch {
  std::size_t begin = 0, end = 0;
  std::span<const Task> of(const std::vector<Task>& tasks) const {
    return std::span(tasks).subspan(begin, end - begin);
  }
};

/// Iterations of a CTA's loops: of the outer loop where two are nested, and of the innermost in all.
struct Iterations {
  double outer = 1, inner = 1;
};

/// Inner iterations: how often the busiest line ran. Outer ones: blocks that the outermost loop took.
Iterations iterations_of(const Trace& trace, Stretch stretch);
Iterations iterations_of(const Trace& trace);

/// The second iteration of the outermost loop, which nothing comes before or after; under a pattern another one, of a
/// whole block, that has twice its events. Everything where there is no loop.
Stretch typical_outer_iteration(const Trace& trace);

/// Whole iterations in the middle of an innermost loop that are alike: those with a mask are other ones, and lie at its
/// ends.
struct MiddleOfLoop {
  Stretch stretch;
  double iterations = 1;  ///< in the stretch
  double of_loop = 1;     ///< in the loop
};

/// Returns the middle of each innermost loop in a stretch that has two iterations or more, in order of time.
std::vector<MiddleOfLoop> middles_of_loops(const Trace& trace, Stretch stretch);

}  // namespace sim
