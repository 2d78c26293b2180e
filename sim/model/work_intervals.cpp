#include "sim/model/work_intervals.h"

#include <array>
#include <tuple>

namespace sim {
namespace {

/// Returns for each event the engine that its role waits for: its own, or the next one after operations at barriers.
std::vector<Engine> engines_waited_for(const Trace& trace) {
  std::vector<Engine> engines(trace.events.size(), Engine::barrier);
  std::vector<Engine> next(trace.roles.size(), Engine::barrier);
  for (std::size_t n = engines.size(); n-- > 0;) {
    const Event& event = trace.events[n];
    if (event.engine != Engine::barrier) next[event.role] = event.engine;
    engines[n] = next[event.role];
  }
  return engines;
}

/// The beginning or end of work or of a wait.
struct Edge {
  Cycles at;
  int change;        ///< 1: begins; -1: ends
  std::size_t what;  ///< 0: work; 1 + cause: a wait
};

/// Adds the intervals between edges in the order of time: work before waits, waits by cause.
void unite(Engine engine, std::vector<Edge> edges, std::vector<EngineInterval>& intervals) {
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tuple(a.at, a.what, a.change) < std::tuple(b.at, b.what, b.change);
  });
  std::array<int, 1 + cause_count> open{};
  Cycles from;
  for (const Edge& edge : edges) {
    const auto first = std::find_if(open.begin(), open.end(), [](int count) { return count > 0; });
    if (first != open.end() && from < edge.at) {
      std::optional<Cause> wait;
      if (first != open.begin()) wait = static_cast<Cause>(first - open.begin() - 1);
      intervals.push_back({engine, wait, from, edge.at});
    }
    from = edge.at;
    open[edge.what] += edge.change;
  }
}

}  // namespace

std::vector<EngineInterval> united_intervals(const Trace& trace) {
  std::array<std::vector<Edge>, engine_count> edges;
  const std::vector<Engine> waited_for = engines_waited_for(trace);
  each_interval(trace, [&](std::int32_t n, std::optional<Cause> wait, Cycles begin, Cycles end) {
    const bool of_barrier = trace.events[static_cast<std::size_t>(n)].engine == Engine::barrier;
    if (end <= begin || (of_barrier && !wait)) return;
    auto& of_engine = edges[static_cast<std::size_t>(waited_for[static_cast<std::size_t>(n)])];
    const std::size_t what = wait ? 1 + static_cast<std::size_t>(*wait) : 0;
    of_engine.push_back({begin, 1, what});
    of_engine.push_back({end, -1, what});
  });
  std::vector<EngineInterval> intervals;
  for (std::size_t e = 0; e < edges.size(); ++e) unite(static_cast<Engine>(e), std::move(edges[e]), intervals);
  return intervals;
}

}  // namespace sim
