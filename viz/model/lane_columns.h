// A lane with very many events, summed over equal parts of the CTA's time: drawn if an event is narrower than a pixel.
// Levels of 1, 2, 4, ... parts; built once.
#pragma once
#include <vector>

#include "viz/model/trace_index.h"

namespace explorer {

/// One part of a lane: the letter (letter_of) of the tensors that take most of its work, and the share of the part in
/// which it works at all, 0 to 255.
struct LaneColumn {
  char letter = 0;
  std::uint8_t busy = 0;
};

class LaneColumns {
 public:
  LaneColumns() = default;
  /// Builds all levels. O(events). `end`: end of the CTA.
  LaneColumns(const sim::Trace& trace, const Lane& lane, sim::Cycles end);

  bool empty() const { return levels_.empty(); }
  /// The coarsest level whose parts are no longer than `longest`; the finest if there is none.
  std::size_t level(sim::Cycles longest) const;
  /// The 2^level parts of a level.
  const std::vector<LaneColumn>& parts(std::size_t level) const { return levels_[level]; }

 private:
  sim::Cycles end_;
  std::vector<std::vector<LaneColumn>> levels_;
};

/// Number of events from which a lane has columns.
inline constexpr std::size_t many_events = 3000;

}  // namespace explorer
