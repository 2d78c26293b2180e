#include "viz/model/tile_stage.h"

#include <algorithm>

namespace explorer {
namespace {

using sim::Event;
using sim::Tensor;

bool in_tile(const Event& event, const Visit& visit) {
  return event.rows.index == visit.row && event.cols.index == visit.col && event.head == visit.head;
}

bool holds_matrix(Tensor t) {
  return t == Tensor::S || t == Tensor::P || t == Tensor::dS || t == Tensor::dP || t == Tensor::S_masked ||
         t == Tensor::P_dropped || t == Tensor::dP_dropped;
}

/// The events of the visit that leave a tile behind, by begin.
std::vector<const Event*> makers(const Replay& replay, const Visit& visit) {
  std::vector<const Event*> found;
  for (const Lane& lane : replay.index.lanes()) {
    if (lane.engine == sim::Engine::copy_out) continue;
    const auto [first, last] = replay.index.within(lane, visit.begin, visit.end);
    for (std::size_t n = first; n < last; ++n) {
      const Event& event = replay.trace.events[static_cast<std::size_t>(lane.events[n])];
      if (holds_matrix(event.tensor) && in_tile(event, visit)) found.push_back(&event);
    }
  }
  std::sort(found.begin(), found.end(), [](const Event* a, const Event* b) { return a->begin < b->begin; });
  return found;
}

}  // namespace

TileStage stage_of(const Replay& replay, std::int32_t visit, sim::Cycles time) {
  TileStage stage;
  for (const Event* event : makers(replay, replay.index.visits()[static_cast<std::size_t>(visit)])) {
    if (event->begin > time || event->tensor == stage.now) continue;
    const double length = static_cast<double>((event->end - event->begin).count());
    const double passed = static_cast<double>((time - event->begin).count());
    stage = {stage.now, event->tensor, length > 0 ? static_cast<float>(std::min(1.0, passed / length)) : 1};
  }
  return stage;
}

}  // namespace explorer
