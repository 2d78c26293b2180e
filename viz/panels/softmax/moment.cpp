// State of a row at the playhead, and the text of its numbers.
#include <algorithm>
#include <cmath>

#include "viz/panels/softmax/softmax.h"

namespace explorer {
namespace {

/// End of the last event of a verb in the visit; negative if there is none.
struct Last {
  sim::Cycles end{-1};
  bool before(sim::Cycles time) const { return end >= sim::Cycles(0) && end <= time; }
};

}  // namespace

Moment moment_of(const Subject& subject, const TileMatrix& matrix) {
  Moment moment;
  if (matrix.visit < 0) return moment;
  const Replay& replay = *subject.replay;
  const Visit& visit = replay.index.visits()[static_cast<std::size_t>(matrix.visit)];
  if (!matrix.working) return {true, true, true};
  Last max, sum, dot;
  for (const Lane& lane : replay.index.lanes()) {
    if (lane.engine != sim::Engine::fp32) continue;
    const auto [first, last] = replay.index.within(lane, visit.begin, visit.end + sim::Cycles(1));
    for (std::size_t n = first; n < last; ++n) {
      const sim::Event& event = replay.trace.events[static_cast<std::size_t>(lane.events[n])];
      if (event.rows.index != visit.row || event.begin < visit.begin || event.end > visit.end) continue;
      if (event.verb == sim::Verb::max) max.end = std::max(max.end, event.end);
      if (event.verb == sim::Verb::sum) sum.end = std::max(sum.end, event.end);
      if (event.verb == sim::Verb::dot) dot.end = std::max(dot.end, event.end);
    }
  }
  return {max.before(subject.time), sum.before(subject.time), dot.before(subject.time)};
}

std::string row_number(const char* format, float value) {
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  std::string text = sim::text(fmt::format(fmt::runtime(format), static_cast<double>(value)));
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

}  // namespace explorer
