#include "viz/model/trace_index.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/trace/tensors.h"

namespace explorer {
namespace {

using sim::Cycles;
using sim::Engine;
using sim::Event;
using sim::Tensor;
using sim::Verb;

std::size_t index_of(std::int32_t event) { return static_cast<std::size_t>(event); }

bool copies(const Event& event) { return event.engine == Engine::copy_in || event.engine == Engine::copy_out; }

/// Scores are where a tile of the matrix begins.
bool makes_scores(const Event& event) {
  return event.verb == Verb::gemm && (event.tensor == Tensor::S || event.tensor == Tensor::dP);
}

void sort_unique(std::vector<Cycles>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

}  // namespace

TraceIndex::TraceIndex(const sim::Trace& trace) : trace_(&trace) {
  for (const Event& event : trace.events) end_ = std::max({end_, event.end, event.released});
  if (!trace.waits.empty()) end_ = std::max(end_, trace.waits.back().end);
  make_lanes();
  make_visits();
  make_stops();
}

void TraceIndex::make_lanes() {
  const auto& events = trace_->events;
  for (int e = 0; e < sim::engine_count; ++e) {
    Lane lane{static_cast<Engine>(e), {}};
    for (std::size_t n = 0; n < events.size(); ++n) {
      if (events[n].engine != lane.engine) continue;
      lane.events.push_back(static_cast<std::int32_t>(n));
      if (!copies(events[n])) computing_.push_back(static_cast<std::int32_t>(n));
    }
    const auto earlier = [&](std::int32_t a, std::int32_t b) {
      return std::pair(events[index_of(a)].begin, a) < std::pair(events[index_of(b)].begin, b);
    };
    std::sort(lane.events.begin(), lane.events.end(), earlier);
    std::sort(computing_.begin(), computing_.end(), earlier);
    if (!lane.events.empty()) lanes_.push_back(std::move(lane));
  }
}

/// The tile of the matrix that an event computes on, as the event that has its axes; null when there is none.
const Event* TraceIndex::tile_of(const Event& event) const {
  if (event.verb == Verb::fill) return nullptr;
  if (is_score_matrix(event.tensor)) return &event;
  for (const std::int32_t operand : event.operands) {
    if (operand == sim::no_event) continue;
    const Event& made = trace_->events[index_of(operand)];
    if (is_score_matrix(made.tensor)) return &made;
  }
  return nullptr;
}

/// A visit begins with the scores, or with the first use of a tile that was loaded, and lasts until the last event that
/// names its tile; scores of the same tile after its weights, or another loop, begin another visit, of a second pass.
/// Scores may be made ahead of what is done with those before: then events of a few visits alternate.
void TraceIndex::make_visits() {
  constexpr std::size_t most_open = 4;
  std::size_t open = 1;
  std::vector<std::int32_t> loops;  // of the visits: line of the innermost loop around the first event; 0: none
  for (const std::int32_t n : computing_) {
    const Event& event = trace_->events[index_of(n)];
    const Event* tile = tile_of(event);
    if (tile == nullptr) continue;
    const auto same = [&](const Visit& visit) {
      const std::int32_t loop = loops[static_cast<std::size_t>(&visit - visits_.data())];
      const bool same_loop = loop == event.loop || loop == 0 || event.loop == 0;
      return same_loop && visit.row == tile->rows.index && visit.col == tile->cols.index && visit.head == event.head;
    };
    if (makes_scores(event)) open = most_open;
    const std::size_t most = makes_scores(event) ? 1 : std::min(open, visits_.size());
    const auto last = visits_.rbegin() + static_cast<std::ptrdiff_t>(std::min(most, visits_.size()));
    auto known = std::find_if(visits_.rbegin(), last, same);
    if (event.verb == Verb::gemm && event.tensor == Tensor::S && known != last && known->weighed) known = last;
    const bool begins = known == last;
    if (begins) {
      visits_.push_back(
          {tile->rows.index, tile->cols.index, event.head, event.begin, event.end, {event.iteration, event.iteration}});
      loops.push_back(event.loop);
    }
    Visit& visit = begins ? visits_.back() : *known;
    visit.end = std::max(visit.end, event.end);
    if (event.verb == Verb::mask) visit.masked = true;
    visit.iterations.end = std::max<std::int64_t>(visit.iterations.end, event.iteration + 1);
    if (event.verb == Verb::exp) visit.weighed = true;
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
