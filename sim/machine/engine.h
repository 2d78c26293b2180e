// The engines of one SM as the warpgroups of one CTA see them: when each is free. Their clocks decide in which order
// warpgroups run; the times of every other replay come from the schedule of its SM (sm_schedule.h).
//
// Inaccuracies: an engine does one event at a time; no other CTA is there.
#pragma once
#include <array>

#include "sim/machine/sm_work.h"

namespace sim {

/// What one unit of work costs: on the pipes of an SM, and at its port while all SMs read from the L2.
struct EngineRates {
  SmRates work;
  SmPort port;
};
EngineRates engine_rates(const DeviceSpec& device, Dtype dtype, const TimingConstants& constants);

/// How long an event occupies its engine, and how long after that its result is ready.
struct Duration {
  Cycles busy, latency;
};
Duration duration_of(const Event& event, const EngineRates& rates);

/// When each engine is free. An event begins at max(earliest, engine free) and holds its engine for `busy`.
class EngineClocks {
 public:
  Cycles free_at(Engine engine) const { return free_[static_cast<std::size_t>(engine)]; }
  /// Books the engine; returns when the event begins.
  Cycles book(Engine engine, Cycles earliest, Cycles busy);

 private:
  std::array<Cycles, engine_count> free_;
};

}  // namespace sim
