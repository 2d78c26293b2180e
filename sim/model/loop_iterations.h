// Parts of a replayed CTA whose time represents that of more iterations.
#pragma once
#include <span>
#include <vector>

#include "sim/machine/sm_schedule.h"
#include "sim/trace/trace.h"

namespace sim {

/// Range [begin, end) of events, or tasks, of a CTA.
struct EventRange {
  std::size_t begin = 0, end = 0;
  std::span<const Task> of(const std::vector<Task>& tasks) const {
    return std::span(tasks).subspan(begin, end - begin);
  }
};

/// Iterations of a CTA's loops: of the outer loop if two are nested, and of the innermost loop in total.
struct Iterations {
  double outer = 1, inner = 1;
};

/// Counts inner iterations, the executions of the busiest line, of roles that of one that reads HBM, and outer ones,
/// the blocks that the outermost loop visited.
Iterations iterations_of(const Trace& trace, EventRange range);
Iterations iterations_of(const Trace& trace);

/// Returns the second iteration of the outermost loop, without the events before and after the loop; under a pattern,
/// an iteration on a whole block that has double the events, if there is one. Returns everything if there is no
/// loop.
EventRange typical_outer_iteration(const Trace& trace);

/// Whole equal iterations in the middle of an innermost loop; iterations with a mask differ, and are at its ends.
struct MiddleOfLoop {
  EventRange range;
  double iterations = 1;  ///< number in the range
  double of_loop = 1;     ///< number in the loop
};

/// Returns the middle of each innermost loop with at least two iterations in a range, in order of time.
std::vector<MiddleOfLoop> middles_of_loops(const Trace& trace, EventRange range);

}  // namespace sim
