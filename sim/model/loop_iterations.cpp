#include "sim/model/loop_iterations.h"

#include <algorithm>
#include <map>
#include <set>

namespace sim {

Iterations iterations_of(const Trace& trace, EventRange range) {
  std::map<std::pair<int, std::int32_t>, std::int64_t> runs;  // executions of a line of a role
  std::set<std::int64_t> outer;
  std::int64_t most = 1;
  for (std::size_t n = range.begin; n < range.end; ++n) {
    const Event& event = trace.events[n];
    const bool counts = trace.roles.empty() || event.direction == Direction::read;
    if (counts) most = std::max(most, ++runs[{event.role, event.line}]);
    for (const Axis& axis : {event.rows, event.cols}) {
      if (axis.origin == Origin::loop0) outer.insert(axis.index);
    }
  }
  return {static_cast<double>(std::max<std::size_t>(1, outer.size())), static_cast<double>(most)};
}

Iterations iterations_of(const Trace& trace) { return iterations_of(trace, {0, trace.events.size()}); }

EventRange typical_outer_iteration(const Trace& trace) {
  struct Outer {
    std::size_t begin = 0;
    bool whole = true;
  };
  std::set<std::int64_t> met;
  std::vector<Outer> all;
  std::size_t end = 0;  // end of the last outer iteration
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const Event& event = trace.events[n];
    for (const Axis& axis : {event.rows, event.cols}) {
      if (axis.origin == Origin::loop0 && met.insert(axis.index).second) all.push_back({n, axis.size >= axis.block});
    }
    if (event.loop != 0) end = n + 1;
  }
  EventRange chosen{0, trace.events.size()};
  std::size_t most = 0;  // events
  for (std::size_t n = 0; n < all.size(); ++n) {
    const EventRange iteration{all[n].begin, n + 1 < all.size() ? all[n + 1].begin : end};
    const std::size_t events = (iteration.end - iteration.begin) * (n == 1 ? 2 : 1);
    if ((n > 0 && !all[n].whole) || events < most) continue;
    most = events;
    chosen = iteration;
  }
  return chosen;
}

namespace {

/// True if two iterations have the same number of events and move the same number of bytes.
bool are_alike(const Trace& trace, EventRange a, EventRange b) {
  const auto bytes = [&](EventRange iteration) {
    std::int64_t sum = 0;
    for (std::size_t n = iteration.begin; n < iteration.end; ++n) sum += trace.events[n].bytes;
    return sum;
  };
  return a.end - a.begin == b.end - b.begin && bytes(a) == bytes(b);
}

/// The middle half of the longest run of equal iterations; of two such runs the later one, because rows of O near their
/// end move less.
MiddleOfLoop middle_of(const Trace& trace, const std::vector<EventRange>& iterations) {
  std::size_t begin = 0, longest = 0, longest_begin = 0;
  for (std::size_t n = 0; n < iterations.size(); ++n) {
    if (!are_alike(trace, iterations[begin], iterations[n])) begin = n;
    if (n + 1 - begin < longest) continue;
    longest = n + 1 - begin;
    longest_begin = begin;
  }
  const std::size_t half = std::max<std::size_t>(1, longest / 2), first = longest_begin + longest / 4;
  return {{iterations[first].begin, iterations[first + half - 1].end},
          static_cast<double>(half),
          static_cast<double>(iterations.size())};
}

}  // namespace

std::vector<MiddleOfLoop> middles_of_loops(const Trace& trace, EventRange range) {
  std::vector<MiddleOfLoop> middles;
  for (std::size_t begin = range.begin; begin < range.end;) {
    const Event& first = trace.events[begin];
    std::vector<EventRange> iterations;
    std::size_t end = begin;
    for (; end < range.end && trace.events[end].loop == first.loop; ++end) {
      if (trace.events[end].line == first.line) iterations.push_back({end, end});
      iterations.back().end = end + 1;
    }
    if (first.loop != 0 && iterations.size() > 1) middles.push_back(middle_of(trace, iterations));
    begin = end;
  }
  return middles;
}

}  // namespace sim
