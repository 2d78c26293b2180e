// Dependences of events: the iterations of a CTA whose work reaches an event, through registers or through HBM.
// Programs declare nothing: the trace shows which values of a tile are known at once, and which need earlier
// iterations.
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "sim/trace/trace.h"

namespace sim {

/// Returns the iterations (Event::iteration) of everything that some events of a resumed CTA's trace depend on, and of
/// the events themselves. O(events that they depend on).
std::set<std::int64_t> iterations_behind(const Trace& trace, const std::vector<std::int32_t>& events);

}  // namespace sim
