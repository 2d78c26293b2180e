// Time of a CTA's engines as intervals: work on an event, or a wait for one.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "sim/trace/trace.h"

namespace sim {

/// Calls do_with(event number, wait, begin, end) for every interval of a scheduled replay; `wait` is empty for work.
/// The time that neighbours on the SM take of an event's span comes first in it, cause by cause, and work has the rest;
/// a wait for a store counts as work of the store while the store is being moved. Work of one engine does not overlap,
/// nor do its waits for one cause; but a store can wait while the previous one is being moved. O(events).
template <class Do>
void each_interval(const Trace& trace, Do do_with) {
  auto delay = trace.delays.begin();
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const auto number = static_cast<std::int32_t>(n);
    Cycles from = trace.events[n].begin;
    for (; delay != trace.delays.end() && delay->event == number; ++delay) {
      do_with(number, std::optional(delay->cause), from, from + delay->time);
      from += delay->time;
    }
    do_with(number, std::optional<Cause>(), from, trace.events[n].released);
  }
  for (const WaitSpan& wait : trace.waits) {
    if (wait.event < 0) continue;
    const Event& event = trace.events[static_cast<std::size_t>(wait.event)];
    if (event.engine == Engine::barrier) {  // the event is the wait
      do_with(wait.event, std::optional(wait.cause), wait.begin, wait.end);
      continue;
    }
    const Cycles before = std::clamp(event.begin, wait.begin, wait.end);
    const Cycles after = std::clamp(event.released, wait.begin, wait.end);
    if (before > wait.begin) do_with(wait.event, std::optional(wait.cause), wait.begin, before);
    if (wait.end > after) do_with(wait.event, std::optional(wait.cause), after, wait.end);
  }
}

/// An interval of an engine.
struct EngineInterval {
  Engine engine = Engine::copy_in;
  std::optional<Cause> wait;  ///< empty: it works
  Cycles begin, end;
};

/// Intervals of a trace with roles: an engine works while it works for any role; otherwise it waits while a role waits
/// at a barrier before one of the engine's events. Engine by engine in the order of time; intervals of one engine do
/// not overlap. O(events log events).
std::vector<EngineInterval> united_intervals(const Trace& trace);

/// As each_interval(), with the engine instead of the event: do_with(engine, wait, begin, end); in a trace with roles,
/// united_intervals().
template <class Do>
void each_engine_interval(const Trace& trace, Do do_with) {
  if (!trace.roles.empty()) {
    for (const EngineInterval& s : united_intervals(trace)) do_with(s.engine, s.wait, s.begin, s.end);
    return;
  }
  each_interval(trace, [&](std::int32_t n, std::optional<Cause> wait, Cycles begin, Cycles end) {
    do_with(trace.events[static_cast<std::size_t>(n)].engine, wait, begin, end);
  });
}

}  // namespace sim
