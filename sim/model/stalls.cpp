#include "sim/model/stalls.h"

#include <numeric>

#include "sim/model/sampled_cta.h"
#include "sim/model/scheduled_replay.h"
#include "sim/model/work_intervals.h"
#include "sim/trace/timeline.h"

namespace sim {
namespace {

constexpr double most_events = 1 << 14;  // events of a whole CTA: about 10 ms
constexpr std::size_t few_iterations = 24;

/// Returns the busiest CTA of the entries with the most queries x keys; batch counts entries over all classes.
CtaPlace busiest_place(const Plan& plan, const Launch& launch) {
  CtaPlace busiest;
  double most = -1;
  std::int64_t entries = 0;
  for (const Plan& c : classes_of(plan)) {
    const Shape& shape = c.problem.shape;
    const double pairs = static_cast<double>(shape.seqlen_q) * static_cast<double>(shape.seqlen_k);
    if (pairs > most) {
      most = pairs;
      busiest = busiest_cta(shape, launch_of(c, launch).grid);
      busiest.batch = entries;
    }
    entries += shape.batch;
  }
  return busiest;
}

}  // namespace

Cycles EngineTime::waiting() const { return std::accumulate(waits.begin(), waits.end(), Cycles{}); }

Stalls stalls_of(const Trace& trace) {
  Stalls stalls;
  stalls.time = end_of(trace);
  std::array<EngineTime*, engine_count> of{};  // null: not reported
  for (std::size_t n = 0; n < stalled_engines.size(); ++n) {
    stalls.engines[n].engine = stalled_engines[n];
    of[static_cast<std::size_t>(stalled_engines[n])] = &stalls.engines[n];
  }
  each_engine_interval(trace, [&](Engine e, std::optional<Cause> wait, Cycles begin, Cycles end) {
    EngineTime* engine = of[static_cast<std::size_t>(e)];
    if (engine != nullptr) (wait ? engine->waits[static_cast<std::size_t>(*wait)] : engine->work) += end - begin;
  });
  for (EngineTime& engine : stalls.engines) engine.idle = stalls.time - engine.work - engine.waiting();
  return stalls;
}

double events_of_cta(const Simulation& simulation, std::size_t k) {
  double events = 0;
  for (const Event& event : simulation.traces.at(k).events) events += static_cast<double>(event.times);
  return events / static_cast<double>(simulation.kernels[k].ctas);
}

std::size_t typical_iterations(const Simulation& simulation, std::size_t k) {
  return events_of_cta(simulation, k) > most_events ? few_iterations : 0;
}

TypicalCta typical_cta(const Simulation& simulation, std::size_t k) {
  const Plan& plan = simulation.plan;
  const Launch& launch = plan.launches[k];
  TypicalCta cta;
  cta.place = busiest_place(plan, launch);
  cta.iterations = typical_iterations(simulation, k);
  const std::array<std::size_t, 3> most{cta.iterations, cta.iterations, cta.iterations};
  cta.trace = replay_iterations(plan, launch, cta.place, most);
  schedule(cta.trace, plan, launch, cta.place, most, sm_load(plan, launch, simulation.kernels[k].demand()));
  return cta;
}

}  // namespace sim
