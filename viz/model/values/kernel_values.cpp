#include "viz/model/values/kernel_values.h"

#include <algorithm>

namespace explorer {

using sim::Event;
using sim::Tensor;

namespace {

template <class Test>
bool any_event(const Run& run, std::size_t kernel, Test test) {
  const auto& events = run.simulation.traces.at(kernel).events;
  return std::any_of(events.begin(), events.end(), test);
}

bool in_visit(const Event& event, const Visit& visit) {
  return event.rows.index == visit.row && event.cols.index == visit.col && event.head == visit.head &&
         visit.iterations.contains({event.iteration, event.iteration + 1});
}

}  // namespace

bool has_tiles(const Run& run, std::size_t kernel) {
  return any_event(run, kernel, [](const Event& event) { return holds_matrix(event.tensor); });
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
    for (const std::int32_t n : events_of(trace, visit)) {
      const Event& event = trace.events[static_cast<std::size_t>(n)];
      const std::vector<float>* const values = values_of(trace, n);
      if (values == nullptr || (event.verb == sim::Verb::load) != loads) continue;
      layers.all.push_back(make_layer(event.tensor, event.verb, *values));
    }
    if (loads) layers.loaded = layers.all.size();
  }
  return layers;
}

}  // namespace explorer
