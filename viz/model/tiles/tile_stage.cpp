#include "viz/model/tiles/tile_stage.h"

#include <algorithm>
#include <map>
#include <utility>

#include "viz/model/tiles/tile_layers.h"

namespace explorer {
namespace {

using sim::Event;
using sim::Tensor;

bool in_tile(const Event& event, const Visit& visit) {
  return event.rows.index == visit.row && event.cols.index == visit.col && event.head == visit.head;
}

/// Calls with(event) for every computing event of the visit, including a last one of no duration.
template <class With>
void each_event(const Replay& replay, const Visit& visit, With with) {
  for (const Lane& lane : replay.index.lanes()) {
    if (lane.engine == sim::Engine::copy_out || lane.engine == sim::Engine::copy_in) continue;
    const auto [first, last] = replay.index.within(lane, visit.begin, visit.end + sim::Cycles(1));
    for (std::size_t n = first; n < last; ++n) with(replay.trace.events[static_cast<std::size_t>(lane.events[n])]);
  }
}

/// The tensor that was loaded for the tile, in kernels that only read it; `none` otherwise.
Tensor loaded(const Replay& replay, const Visit& visit) {
  Tensor tensor = Tensor::none;
  each_event(replay, visit, [&](const Event& event) {
    for (const std::int32_t operand : event.operands) {
      if (operand == sim::no_event) continue;
      const Event& made = replay.trace.events[static_cast<std::size_t>(operand)];
      if (made.verb == sim::Verb::load && holds_matrix(made.tensor) && in_tile(made, visit)) tensor = made.tensor;
    }
  });
  return tensor;
}

}  // namespace

std::vector<const Event*> makers_of(const Replay& replay, const Visit& visit) {
  std::vector<const Event*> found;
  each_event(replay, visit, [&](const Event& event) {
    if (makes_layer(event) && event.begin >= visit.begin && in_tile(event, visit)) found.push_back(&event);
  });
  std::sort(found.begin(), found.end(),
            [](const Event* a, const Event* b) { return std::pair(a->begin, a) < std::pair(b->begin, b); });
  return found;
}

TileStage stage_of(const Replay& replay, std::int32_t visit, sim::Cycles time) {
  const Visit& of = replay.index.visits()[static_cast<std::size_t>(visit)];
  TileStage stage;
  stage.now = loaded(replay, of);
  std::map<int, std::size_t> by_role;  // layers that each role has begun; the stage is that of the first one
  for (const Event* event : makers_of(replay, of)) {
    if (event->begin > time) break;
    if (++by_role[event->role] <= stage.layers) continue;
    const auto length = static_cast<double>((event->end - event->begin).count());
    const auto passed = static_cast<double>((time - event->begin).count());
    ++stage.layers;
    stage.of_newest = length > 0 ? static_cast<float>(std::min(1.0, passed / length)) : 1;
    if (event->tensor == stage.now) continue;
    stage.before = stage.now;
    stage.now = event->tensor;
    stage.share = stage.of_newest;
  }
  return stage;
}

}  // namespace explorer
