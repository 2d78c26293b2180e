#include "viz/model/copied_bytes.h"

#include <algorithm>

namespace explorer {

CopiedBytes::CopiedBytes(const sim::Trace& trace) {
  std::vector<const sim::Event*> copies;
  for (const sim::Event& event : trace.events) {
    if (event.direction != sim::Direction::none) copies.push_back(&event);
  }
  std::sort(copies.begin(), copies.end(),
            [](const sim::Event* a, const sim::Event* b) { return a->released < b->released; });
  sim::Traffic moved;
  for (const sim::Event* copy : copies) {
    moved += traffic_of(*copy);
    times_.push_back(copy->released);
    moved_.push_back(moved);
  }
}

sim::Traffic CopiedBytes::at(sim::Cycles time) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  return after == times_.begin() ? sim::Traffic{} : moved_[static_cast<std::size_t>(after - times_.begin()) - 1];
}

}  // namespace explorer
