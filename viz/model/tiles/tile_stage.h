// What a tile of the matrix holds at the time of the playhead: S that turns into P, and in a backward pass dP into dS.
#pragma once
#include "viz/model/event_label.h"
#include "viz/model/run.h"

namespace explorer {

/// `now` has replaced a share 0..1 of `before`; `none` before the tile holds anything.
struct TileStage {
  sim::Tensor before = sim::Tensor::none, now = sim::Tensor::none;
  float share = 1;
  /// How many events of the visit have begun to leave a tile behind (makes_layer()), and the share 0..1 of it that the
  /// newest one has reached.
  std::size_t layers = 0;
  float of_newest = 1;
};

/// Of the tile of a visit. O(log events + events of the visit).
TileStage stage_of(const Replay& replay, std::int32_t visit, sim::Cycles time);

}  // namespace explorer
