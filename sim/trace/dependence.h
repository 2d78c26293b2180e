// What an event depends on: the iterations of its CTA whose work reaches it, through registers or through HBM. What is
// known of a tile at once, and what only after the iterations before it, need not be said by any program: its trace
// tells.
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "sim/trace/trace.h"

namespace sim {

/// The iterations (Event::iteration) of everything that some events of a resumed CTA's trace depend on, their own
/// included. O(events that they depend on).
std::set<std::int64_t> iterations_behind(const Trace& trace, const std::vector<std::int32_t>& events);

}  // namespace sim
