// Tiles of the attention matrix that a CTA works on, in the order of its trace: derived from the events, so that a new
// program has them automatically.
#pragma once
#include <vector>

#include "sim/base/shape.h"
#include "sim/trace/trace.h"

namespace sim {

/// A tile of the attention matrix that the CTA works on: from its scores, or the first use of a loaded tile, to its
/// last use.
struct TileVisit {
  std::int64_t row = 0, col = 0;  ///< blocks
  std::int32_t head = 0;          ///< query head in the CTA's group
  Cycles begin, end;
  Interval iterations;   ///< iterations of a resumed CTA that have its events
  bool masked = false;   ///< contains hidden pairs
  bool weighed = false;  ///< P was computed
};

/// Returns the events of all engines except copies, as indices into Trace::events, by begin. O(events log events).
std::vector<std::int32_t> computing_events(const Trace& trace);

/// Returns the visits of a trace, from its computing_events(). A visit begins with the scores, or with the first use of
/// a loaded tile, and lasts until the last event that names its tile; scores of the same tile after its weights, or
/// another loop, begin another visit, of a second pass. Scores may be computed ahead of the work on earlier tiles: then
/// events of a few visits alternate.
std::vector<TileVisit> visits_of(const Trace& trace, const std::vector<std::int32_t>& computing);

/// Returns the values after an event of a trace; null if they were not kept or there is no such event.
const std::vector<float>* values_of(const Trace& trace, std::int32_t event);

}  // namespace sim
