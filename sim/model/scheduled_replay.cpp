#include "sim/model/scheduled_replay.h"

#include "sim/model/kernel_meters.h"
#include "sim/model/sampled_cta.h"

namespace sim {

void schedule(Trace& trace, const Plan& plan, const Launch& launch, const CtaPlace& place,
              const std::array<std::size_t, 3>& most_iterations, const SmLoad& load) {
  const RoleTasks of_cta{compiled_tasks(trace, plan, launch, place, most_iterations), trace.barriers, trace.roles};
  const std::vector<Task>& tasks = of_cta.tasks;
  CtaRecord record = run_sm_roles(of_cta, load.port, load.residents).first;
  for (std::size_t n = 0; n < tasks.size(); ++n) {
    Event& event = trace.events[n];
    event.begin = record.spans[n].begin;
    event.released = record.spans[n].end;
    event.end = record.spans[n].ready;
    const bool works = tasks[n].kind == Task::Kind::work || tasks[n].kind == Task::Kind::product;
    if (works) event.cause = work_on(tasks[n].slowest());
  }
  trace.waits = std::move(record.waits);
  trace.delays = std::move(record.delays);
}

Trace scheduled_replay(const Plan& plan, const Launch& launch, const CtaPlace& place,
                       const std::array<std::size_t, 3>& most_iterations) {
  Trace trace = replay_iterations(plan, launch, place, most_iterations);
  schedule(trace, plan, launch, place, most_iterations,
           sm_load(plan, launch, measure(plan, launch, count(plan, launch)).demand()));
  return trace;
}

}  // namespace sim
