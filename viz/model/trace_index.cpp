#include "viz/model/trace_index.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace explorer {
namespace {

using sim::Cycles;
using sim::Engine;
using sim::Event;

std::size_t index_of(std::int32_t event) { return static_cast<std::size_t>(event); }

void sort_unique(std::vector<Cycles>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

}  // namespace

TraceIndex::TraceIndex(const sim::Trace& trace) : trace_(&trace) {
  for (const Event& event : trace.events) end_ = std::max({end_, event.end, event.released});
  if (!trace.waits.empty()) end_ = std::max(end_, trace.waits.back().end);
  make_lanes();
  computing_ = sim::computing_events(trace);
  visits_ = sim::visits_of(trace, computing_);
  make_stops();
}

void TraceIndex::make_lanes() {
  const auto& events = trace_->events;
  for (int e = 0; e < sim::engine_count; ++e) {
    Lane lane{static_cast<Engine>(e), {}};
    for (std::size_t n = 0; n < events.size(); ++n) {
      if (events[n].engine != lane.engine) continue;
      lane.events.push_back(static_cast<std::int32_t>(n));
    }
    const auto earlier = [&](std::int32_t a, std::int32_t b) {
      return std::pair(events[index_of(a)].begin, a) < std::pair(events[index_of(b)].begin, b);
    };
    std::sort(lane.events.begin(), lane.events.end(), earlier);
    if (!lane.events.empty()) lanes_.push_back(std::move(lane));
  }
}

void TraceIndex::make_stops() {
  std::tuple<std::int32_t, std::int64_t, std::int64_t> last_line{-1, -1, -1};
  std::int64_t last_row = -1;
  for (const Event& event : trace_->events) stops_[0].push_back(event.begin);
  for (const std::int32_t n : computing_) {
    const Event& event = trace_->events[index_of(n)];
    const std::tuple line{event.line, event.rows.index, event.cols.index};
    if (line != last_line) stops_[1].push_back(event.begin);
    last_line = line;
  }
  for (const Visit& visit : visits_) {
    stops_[2].push_back(visit.begin);
    if (visit.row != last_row) stops_[3].push_back(visit.begin);
    last_row = visit.row;
  }
  for (auto& stops : stops_) {
    stops.push_back(Cycles{});
    stops.push_back(end_);
    sort_unique(stops);
  }
}

std::pair<std::size_t, std::size_t> TraceIndex::within(const Lane& lane, Cycles from, Cycles to) const {
  const auto& events = trace_->events;
  const auto first = std::partition_point(lane.events.begin(), lane.events.end(),
                                          [&](std::int32_t n) { return events[index_of(n)].released <= from; });
  const auto last =
      std::partition_point(first, lane.events.end(), [&](std::int32_t n) { return events[index_of(n)].begin < to; });
  return {static_cast<std::size_t>(first - lane.events.begin()), static_cast<std::size_t>(last - lane.events.begin())};
}

Cycles TraceIndex::nearest_edge(Cycles time) const {
  Cycles nearest;
  const auto distance = [&](Cycles edge) { return std::abs((edge - time).count()); };
  const auto take = [&](Cycles edge) { nearest = distance(edge) < distance(nearest) ? edge : nearest; };
  take(end_);
  for (const Lane& lane : lanes_) {
    const std::size_t next = within(lane, time, time).first;
    for (std::size_t n = std::max<std::size_t>(next, 1) - 1; n < std::min(next + 2, lane.events.size()); ++n) {
      const Event& event = trace_->events[index_of(lane.events[n])];  // one may begin before the one before it ends
      take(event.begin);
      take(event.released);
    }
  }
  return nearest;
}

std::int32_t TraceIndex::at(const Lane& lane, Cycles time) const {
  const auto [first, last] = within(lane, time, time + Cycles(1));
  return first < last ? lane.events[first] : -1;
}

std::int32_t TraceIndex::wait_at(Cycles time) const {
  const auto& waits = trace_->waits;
  const auto found =
      std::partition_point(waits.begin(), waits.end(), [&](const auto& wait) { return wait.end <= time; });
  return found != waits.end() && found->begin <= time ? static_cast<std::int32_t>(found - waits.begin()) : -1;
}

std::int32_t TraceIndex::visit_at(Cycles time) const {
  const auto after =
      std::partition_point(visits_.begin(), visits_.end(), [&](const Visit& visit) { return visit.begin <= time; });
  return static_cast<std::int32_t>(after - visits_.begin()) - 1;
}

std::int32_t TraceIndex::current(Cycles time) const {
  const auto& events = trace_->events;
  auto after = std::partition_point(computing_.begin(), computing_.end(),
                                    [&](std::int32_t n) { return events[index_of(n)].begin <= time; });
  for (auto n = after; n != computing_.begin() && after - n < 8;) {
    if (events[index_of(*--n)].end > time) return *n;
  }
  if (after != computing_.end()) return *after;
  return computing_.empty() ? -1 : computing_.back();
}

}  // namespace explorer
