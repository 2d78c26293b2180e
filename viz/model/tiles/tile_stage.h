// Contents of a tile of the matrix at the playhead: S turning into P, and in a backward pass dP into dS.
#pragma once
#include "viz/model/event_label.h"
#include "viz/model/run.h"

namespace explorer {

/// `now` has replaced a share 0..1 of `before`; `none` before the tile holds anything.
struct TileStage {
  sim::Tensor before = sim::Tensor::none, now = sim::Tensor::none;
  float share = 1;
  /// Number of events of the visit with makes_layer() that have begun, and the progress 0..1 of the newest.
  std::size_t layers = 0;
  float of_newest = 1;
};

/// The events of a visit that leave a tile of the matrix, by start, then in the order of the program. O(events of the
/// visit).
std::vector<const sim::Event*> makers_of(const Replay& replay, const Visit& visit);
/// The stage of a visit's tile. O(log events + events of the visit).
TileStage stage_of(const Replay& replay, std::int32_t visit, sim::Cycles time);

}  // namespace explorer
