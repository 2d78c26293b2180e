// Builds the timeline of a plan that trace viewers show.
#pragma once
#include <optional>

#include "sim/programs/run.h"
#include "sim/trace/timeline.h"

namespace sim {

/// Replays one CTA of each kernel without values. `place`: batch, head, row block and column block; a kernel with fewer
/// blocks replays its last one, and a grid without an axis has one block there. Without a place: the last row block and
/// the first column block of the first head. Throws Error with the ranges if no kernel has the place, and if one CTA
/// has more events than a replay keeps.
Timeline replay_timeline(const Plan& plan, const std::optional<CtaPlace>& place);

}  // namespace sim
