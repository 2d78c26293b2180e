// The engines of one SM: how long an amount of work keeps each busy, and when each is free.
#pragma once
#include <array>

#include "sim/base/dtype.h"
#include "sim/machine/device_spec.h"
#include "sim/trace/event.h"

namespace sim {

/// How long one unit of work takes on one SM, in ticks of 1/256 cycle. Copies share the L2 bandwidth evenly among SMs;
/// their data arrives `copy_latency` after the engine is free again.
struct EngineRates {
  double per_byte = 0;
  double per_matmul_flop = 0;
  double per_other_flop = 0;
  double per_exp = 0;
  Cycles copy_latency;
};

EngineRates engine_rates(const DeviceSpec& device, Dtype dtype);

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
