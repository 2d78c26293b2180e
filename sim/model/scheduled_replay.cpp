#include "sim/model/scheduled_replay.h"

#include <algorithm>

#include "sim/model/compiled_kernels.h"
#include "sim/model/kernel_meters.h"
#include "sim/model/sampled_cta.h"

namespace sim {
namespace {

bool has_warpgroups(const Trace& trace) {
  return std::any_of(trace.events.begin(), trace.events.end(), [](const Event& event) { return event.role != 0; });
}

}  // namespace

void schedule(Trace& trace, const Plan& plan, const Launch& launch, const SmLoad& load) {
  if (has_warpgroups(trace)) return;
  const auto tasks = tasks_of(trace, launch, rates_of(plan, launch, trace));
  CtaRecord record = run_sm(tasks, load.port, load.residents).first;
  for (std::size_t n = 0; n < tasks.size(); ++n) {
    Event& event = trace.events[n];
    event.begin = record.spans[n].begin;
    event.released = record.spans[n].end;
    event.end = record.spans[n].ready;
    if (tasks[n].kind == Task::Kind::work) event.cause = work_on(tasks[n].work.slowest());
  }
  trace.waits = std::move(record.waits);
  trace.delays = std::move(record.delays);
}

Trace scheduled_replay(const Plan& plan, const Launch& launch, const CtaPlace& place,
                       const std::array<std::size_t, 3>& most_iterations) {
  Trace trace = replay_iterations(plan, launch, place, most_iterations);
  schedule(trace, plan, launch, sm_load(plan, launch, measure(plan, launch, count(plan, launch)).demand()));
  return trace;
}

}  // namespace sim
