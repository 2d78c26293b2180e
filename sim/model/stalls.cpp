#include "sim/model/stalls.h"

#include <algorithm>
#include <numeric>

#include "sim/model/sampled_cta.h"
#include "sim/model/scheduled_replay.h"
#include "sim/trace/timeline.h"

namespace sim {
namespace {

constexpr double most_events = 1 << 14;  // of a whole CTA: about 10 ms
constexpr std::size_t few_iterations = 24;

Cycles overlap_of(const WaitSpan& wait, const Event& event) {
  return std::max(Cycles{}, std::min(wait.end, event.released) - std::max(wait.begin, event.begin));
}

/// Collects times by engine; engines that are not reported fall away.
class EngineTimes {
 public:
  explicit EngineTimes(Stalls& stalls) {
    for (EngineTime& time : stalls.engines) {
      time.engine = stalled_engines[static_cast<std::size_t>(&time - stalls.engines.data())];
      of_[static_cast<std::size_t>(time.engine)] = &time;
    }
  }
  void work(const Event& event, Cycles time) {
    if (EngineTime* engine = of(event)) engine->work += time;
  }
  void wait(const Event& event, Cause cause, Cycles time) {
    if (EngineTime* engine = of(event)) engine->waits[static_cast<std::size_t>(cause)] += time;
  }

 private:
  EngineTime* of(const Event& event) const { return of_[static_cast<std::size_t>(event.engine)]; }
  std::array<EngineTime*, engine_count> of_{};
};

/// Mean over the grid.
double events_of_cta(const Simulation& simulation, std::size_t k) {
  double events = 0;
  for (const Event& event : simulation.traces[k].events) events += static_cast<double>(event.times);
  return events / static_cast<double>(simulation.kernels[k].ctas);
}

}  // namespace

Cycles EngineTime::waiting() const { return std::accumulate(waits.begin(), waits.end(), Cycles{}); }

Stalls stalls_of(const Trace& trace) {
  Stalls stalls;
  stalls.time = end_of(trace);
  EngineTimes times(stalls);
  const auto event_at = [&](std::int32_t n) -> const Event& { return trace.events[static_cast<std::size_t>(n)]; };
  for (const Event& event : trace.events) times.work(event, event.released - event.begin);
  for (const Delay& delay : trace.delays) {
    times.work(event_at(delay.event), Cycles(-delay.time.count()));
    times.wait(event_at(delay.event), delay.cause, delay.time);
  }
  for (const WaitSpan& wait : trace.waits) {
    if (wait.event < 0) continue;
    const Event& event = event_at(wait.event);
    times.wait(event, wait.cause, wait.end - wait.begin - overlap_of(wait, event));
  }
  for (EngineTime& engine : stalls.engines) engine.idle = stalls.time - engine.work - engine.waiting();
  return stalls;
}

std::size_t typical_iterations(const Simulation& simulation, std::size_t k) {
  return events_of_cta(simulation, k) > most_events ? few_iterations : 0;
}

TypicalCta typical_cta(const Simulation& simulation, std::size_t k) {
  const Plan& plan = simulation.plan;
  const Launch& launch = plan.launches[k];
  TypicalCta cta;
  cta.place = busiest_cta(plan.problem.shape, launch.grid);
  cta.iterations = typical_iterations(simulation, k);
  cta.trace = replay_iterations(plan, launch, cta.place, {cta.iterations, cta.iterations, cta.iterations});
  schedule(cta.trace, plan, launch, sm_load(plan, launch, simulation.kernels[k].demand()));
  return cta;
}

}  // namespace sim
