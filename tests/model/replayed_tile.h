// Values of a tile in a replay of its CTA with values.
#pragma once
#include "viz/model/subject.h"
#include "viz/model/tiles/tile_layers.h"

inline sim::Trace trace_with_values(const explorer::Subject& subject) {
  const sim::Plan& plan = subject.simulation().plan;
  sim::AttentionInputs inputs = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
  inputs.d_o = sim::draw_output_gradient(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
  return sim::replay(plan, subject.launch(), subject.replay->place, &inputs);
}

/// Returns the replay's values of the tile at the playhead: the result of its newest event, or the loaded tile.
inline const std::vector<float>* replayed(const explorer::Subject& subject, const sim::Trace& values,
                                          const explorer::Visit& visit) {
  const sim::Trace& timed = subject.replay->trace;
  const std::vector<float>* loaded = nullptr;
  const std::vector<float>* found = nullptr;
  sim::Cycles begin(-1);
  for (std::size_t n = 0; n < timed.events.size(); ++n) {
    const sim::Event& event = timed.events[n];
    const bool here = event.rows.index == visit.row && event.cols.index == visit.col && event.head == visit.head;
    if (!here || !explorer::holds_matrix(event.tensor) || event.verb == sim::Verb::store) continue;
    const auto& left = values.values[static_cast<std::size_t>(values.events[n].value)].values;
    if (event.verb == sim::Verb::load && event.begin <= subject.time) loaded = &left;
    if (!explorer::makes_layer(event) || event.begin < visit.begin || event.begin > subject.time) continue;
    if (event.begin < begin) continue;
    begin = event.begin;
    found = &left;
  }
  return found != nullptr ? found : loaded;
}
