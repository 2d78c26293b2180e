// Tiles of the attention matrix that a CTA works on, in the order of its trace: read off the events, so that a new
// program has them at once.
#pragma once
#include <vector>

#include "sim/base/shape.h"
#include "sim/trace/trace.h"

namespace sim {

/// A tile of the attention matrix that the CTA works on: from its scores, or the first use of one that was loaded, to
/// its last use.
struct TileVisit {
  std::int64_t row = 0, col = 0;  ///< blocks
  std::int32_t head = 0;          ///< of the CTA's group
  Cycles begin, end;
  Interval iterations;   ///< of a resumed CTA: those with its events
  bool masked = false;   ///< hidden pairs inside
  bool weighed = false;  ///< P was computed in it
};

/// Events of all engines but the copies, as indices into Trace::events, by begin. O(events log events).
std::vector<std::int32_t> computing_events(const Trace& trace);

/// Visits of a trace, from its computing_events(). A visit begins with the scores, or with the first use of a tile that
/// was loaded, and lasts until the last event that names its tile; scores of the same tile after its weights, or
/// another loop, begin another visit, of a second pass. Scores may be made ahead of what is done with those before:
/// then events of a few visits alternate.
std::vector<TileVisit> visits_of(const Trace& trace, const std::vector<std::int32_t>& computing);

/// Values that an event of a trace left behind; null if they were not kept or there is no such event.
const std::vector<float>* values_of(const Trace& trace, std::int32_t event);

}  // namespace sim
