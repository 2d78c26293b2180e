// A lane with very many events, summed over equal parts of the CTA's time: what is drawn where an event is narrower
// than a pixel. Levels of 1, 2, 4, ... parts; built once.
#pragma once
#include <vector>

#include "viz/model/trace_index.h"

namespace explorer {

/// What a lane does in one part: the letter (letter_of) of the tensors that take most of its work, and how much of the
/// part it works at all, 0 to 255.
struct LaneColumn {
  char letter = 0;
  std::uint8_t busy = 0;
};

class LaneColumns {
 public:
  LaneColumns() = default;
  /// O(events). `end`: of the CTA.
  LaneColumns(const sim::Trace& trace, const Lane& lane, sim::Cycles end);

  bool empty() const { return levels_.empty(); }
  /// The coarsest level whose parts are not longer than `longest`; else the finest.
  std::size_t level(sim::Cycles longest) const;
  /// 2^level parts.
  const std::vector<LaneColumn>& parts(std::size_t level) const { return levels_[level]; }

 private:
  sim::Cycles end_;
  std::vector<std::vector<LaneColumn>> levels_;
};

/// From so many events on a lane has columns.
inline constexpr std::size_t many_events = 3000;

}  // namespace explorer
