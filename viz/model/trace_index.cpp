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

/// True if a role waits or arrives: waits are in Trace::waits.
bool is_at_barrier(const sim::Trace& trace, const Event& event) {
  return event.engine == Engine::barrier && !trace.roles.empty();
}

/// The engine on whose lane an event is: what the warps of a role do themselves is on one.
std::int32_t shown_on(const sim::Trace& trace, const Event& event) {
  const bool of_warps = event.engine == Engine::exp || event.engine == Engine::barrier;
  return static_cast<std::int32_t>(of_warps && !trace.roles.empty() ? Engine::fp32 : event.engine);
}

void sort_unique(std::vector<Cycles>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

}  // namespace

TraceIndex::TraceIndex(const sim::Trace& trace) : trace_(&trace) {
  for (const Event& event : trace.events) end_ = std::max({end_, event.end, event.released});
  for (const sim::WaitSpan& wait : trace.waits) end_ = std::max(end_, wait.end);
  make_lanes();
  computing_ = sim::computing_events(trace);
  make_roles();
  visits_ = sim::visits_of(trace, computing_);
  make_stops();
}

void TraceIndex::make_lanes() {
  const auto& events = trace_->events;
  const std::size_t roles = std::max<std::size_t>(1, trace_->roles.size());
  for (std::size_t n = 0; n < roles * sim::engine_count; ++n)
    lanes_.push_back(
        {static_cast<Engine>(n % sim::engine_count), {}, static_cast<std::uint8_t>(n / sim::engine_count)});
  for (std::size_t n = 0; n < events.size(); ++n) {
    if (is_at_barrier(*trace_, events[n])) continue;
    const std::size_t lane = events[n].role * std::size_t{sim::engine_count} + index_of(shown_on(*trace_, events[n]));
    lanes_[lane].events.push_back(static_cast<std::int32_t>(n));
  }
  std::erase_if(lanes_, [](const Lane& lane) { return lane.events.empty(); });
  const auto earlier = [&](std::int32_t a, std::int32_t b) {
    return std::pair(events[index_of(a)].begin, a) < std::pair(events[index_of(b)].begin, b);
  };
  for (Lane& lane : lanes_) std::sort(lane.events.begin(), lane.events.end(), earlier);
}

void TraceIndex::make_roles() {
  by_role_.resize(std::max<std::size_t>(1, trace_->roles.size()));
  for (const std::int32_t n : computing_) {
    const Event& event = trace_->events[index_of(n)];
    if (!is_at_barrier(*trace_, event)) by_role_[event.role].computing.push_back(n);
  }
  for (std::size_t n = 0; n < trace_->waits.size(); ++n) {
    const std::int32_t event = trace_->waits[n].event;
    const std::size_t role = event < 0 ? 0 : trace_->events[index_of(event)].role;
    by_role_[role].waits.push_back(static_cast<std::int32_t>(n));
  }
}

std::int32_t TraceIndex::lane_of(const Event& event) const {
  std::int32_t of_role = -1;
  for (std::size_t n = 0; n < lanes_.size(); ++n) {
    if (lanes_[n].role != event.role) continue;
    if (lanes_[n].engine == static_cast<Engine>(shown_on(*trace_, event))) return static_cast<std::int32_t>(n);
    if (of_role < 0) of_role = static_cast<std::int32_t>(n);
  }
  return is_at_barrier(*trace_, event) ? of_role : -1;  // a producer only copies and waits
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

std::int32_t TraceIndex::wait_at(Cycles time, std::uint8_t role) const {
  const auto& all = trace_->waits;
  const std::vector<std::int32_t>& waits = by_role_[role].waits;
  const auto found =
      std::partition_point(waits.begin(), waits.end(), [&](std::int32_t n) { return all[index_of(n)].end <= time; });
  return found != waits.end() && all[index_of(*found)].begin <= time ? *found : -1;
}

std::int32_t TraceIndex::wait_at(Cycles time) const {
  if (by_role_.empty()) return -1;
  if (roles() == 1) return wait_at(time, 0);
  std::int32_t first = -1;
  for (std::size_t r = 0; r < roles(); ++r) {
    const auto role = static_cast<std::uint8_t>(r);
    if (runs(current(time, role), time)) return -1;
    const std::int32_t wait = wait_at(time, role);
    const auto end = [&](std::int32_t n) { return trace_->waits[index_of(n)].end; };
    if (wait >= 0 && (first < 0 || end(wait) < end(first))) first = wait;
  }
  return first;
}

bool TraceIndex::runs(std::int32_t event, Cycles time) const {
  return event >= 0 && trace_->events[index_of(event)].begin <= time && time < trace_->events[index_of(event)].end;
}

std::int32_t TraceIndex::visit_at(Cycles time) const {
  const auto after =
      std::partition_point(visits_.begin(), visits_.end(), [&](const Visit& visit) { return visit.begin <= time; });
  return static_cast<std::int32_t>(after - visits_.begin()) - 1;
}

std::int32_t TraceIndex::current(Cycles time, std::uint8_t role) const {
  const auto& events = trace_->events;
  const std::vector<std::int32_t>& computing = by_role_[role].computing;
  auto after = std::partition_point(computing.begin(), computing.end(),
                                    [&](std::int32_t n) { return events[index_of(n)].begin <= time; });
  for (auto n = after; n != computing.begin() && after - n < 8;) {
    if (events[index_of(*--n)].end > time) return *n;
  }
  if (after != computing.end()) return *after;
  return computing.empty() ? -1 : computing.back();
}

std::int32_t TraceIndex::current(Cycles time) const {
  std::int32_t newest = -1, next = -1;
  const auto begin = [&](std::int32_t n) { return trace_->events[index_of(n)].begin; };
  for (std::size_t r = 0; r < roles(); ++r) {
    const std::int32_t event = current(time, static_cast<std::uint8_t>(r));
    if (event < 0) continue;
    if (runs(event, time) && (newest < 0 || begin(event) > begin(newest))) newest = event;
    // Nothing runs: the first to begin, else the last of all.
    const bool sooner = next < 0 || (begin(event) > time ? begin(next) <= time || begin(event) < begin(next)
                                                         : begin(next) <= time && begin(event) > begin(next));
    if (sooner) next = event;
  }
  return newest >= 0 ? newest : next;
}

}  // namespace explorer
