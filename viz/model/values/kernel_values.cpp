#include "viz/model/values/kernel_values.h"

#include <algorithm>
#include <map>

namespace explorer {

using sim::Event;
using sim::Tensor;

namespace {

template <class Test>
bool any_event(const Run& run, std::size_t kernel, Test test) {
  const auto& events = run.simulation.traces.at(kernel).events;
  return std::any_of(events.begin(), events.end(), test);
}

/// Layer k of a tile, from the rows of each role.
TileLayer joined_layer(const sim::Trace& trace, const std::map<int, std::vector<std::int32_t>>& by_role,
                       std::size_t k) {
  const Event& event = trace.events[static_cast<std::size_t>(by_role.begin()->second[k])];
  std::vector<float> all;
  for (const auto& role : by_role) {
    if (k >= role.second.size()) continue;
    const std::vector<float>& rows = *values_of(trace, role.second[k]);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return make_layer(event.tensor, event.verb, std::move(all));
}

bool in_visit(const Event& event, const Visit& visit) {
  return event.rows.index == visit.row && event.cols.index == visit.col && event.head == visit.head &&
         visit.iterations.contains({event.iteration, event.iteration + 1});
}

}  // namespace

bool has_tiles(const Run& run, std::size_t kernel) {
  return any_event(run, kernel, [](const Event& event) { return holds_matrix(event.tensor); }) &&
         run.simulation.plan.launches[kernel].products != sim::Products::fma;
}

bool computes_rows(const Run& run, std::size_t kernel) {
  return any_event(run, kernel, [](const Event& event) {
    return event.direction == sim::Direction::none && sim::is_statistic(event.tensor);
  });
}

std::vector<std::int32_t> events_of(const sim::Trace& trace, const Visit& visit) {
  std::vector<std::int32_t> events;
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const Event& event = trace.events[n];
    const bool loads = event.verb == sim::Verb::load && holds_matrix(event.tensor);
    if ((loads || makes_layer(event)) && in_visit(event, visit)) events.push_back(static_cast<std::int32_t>(n));
  }
  return events;
}

TileLayers layers_of(const sim::Trace& trace, const Visit& visit, sim::Interval queries, sim::Interval keys) {
  TileLayers layers{queries, keys, {}, 0};
  for (const bool loads : {true, false}) {
    std::map<int, std::vector<std::int32_t>> by_role;  // each has its rows of every layer
    for (const std::int32_t n : events_of(trace, visit)) {
      const Event& event = trace.events[static_cast<std::size_t>(n)];
      if (values_of(trace, n) != nullptr && (event.verb == sim::Verb::load) == loads) by_role[event.role].push_back(n);
    }
    const std::size_t count = by_role.empty() ? 0 : by_role.begin()->second.size();
    for (std::size_t k = 0; k < count; ++k) layers.all.push_back(joined_layer(trace, by_role, k));
    if (loads) layers.loaded = layers.all.size();
  }
  return layers;
}

}  // namespace explorer
