#include "viz/model/listing/line_index.h"

#include <algorithm>

namespace explorer {

LineIndex::LineIndex(const sim::Trace& trace) : trace_(&trace) {
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    Line& line = lines_[trace.events[n].line];
    line.events.push_back(static_cast<std::int32_t>(n));
    line.busy += trace.events[n].released - trace.events[n].begin;
  }
  const auto earlier = [this](std::int32_t a, std::int32_t b) { return event(a).begin < event(b).begin; };
  for (auto& [number, line] : lines_) {
    if (!std::is_sorted(line.events.begin(), line.events.end(), earlier))
      std::stable_sort(line.events.begin(), line.events.end(), earlier);
  }
}

std::span<const std::int32_t> LineIndex::events(int line) const {
  const auto found = lines_.find(line);
  return found == lines_.end() ? std::span<const std::int32_t>{} : std::span<const std::int32_t>(found->second.events);
}

std::ptrdiff_t LineIndex::begun(std::span<const std::int32_t> events, sim::Cycles time) const {
  const auto after =
      std::partition_point(events.begin(), events.end(), [&](std::int32_t n) { return event(n).begin <= time; });
  return after - events.begin();
}

std::int32_t LineIndex::next(int line, sim::Cycles time) const {
  const std::span<const std::int32_t> all = events(line);
  if (all.empty()) return -1;
  const std::ptrdiff_t n = begun(all, time);
  return all[n == static_cast<std::ptrdiff_t>(all.size()) ? 0 : static_cast<std::size_t>(n)];
}

std::int32_t LineIndex::running(int line, sim::Cycles time) const {
  const std::span<const std::int32_t> all = events(line);
  const std::ptrdiff_t n = begun(all, time);
  if (n == 0) return -1;
  const std::int32_t newest = all[static_cast<std::size_t>(n - 1)];
  return event(newest).end > time ? newest : -1;
}

sim::Cycles LineIndex::busy(int line) const {
  const auto found = lines_.find(line);
  return found == lines_.end() ? sim::Cycles{} : found->second.busy;
}

}  // namespace explorer
