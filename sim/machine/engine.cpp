#include "sim/machine/engine.h"

#include <algorithm>

#include "sim/machine/device_fields.h"

namespace sim {

EngineRates engine_rates(const DeviceSpec& device, Dtype dtype, const TimingConstants& constants) {
  EngineRates rates{sm_rates(device, dtype, constants), {}};
  rates.port.cycles_per_byte = static_cast<double>(device.sm_count) * static_cast<double>(device.clock_hz) /
                               replay_number(device, &DeviceSpec::l2_bytes_per_second);
  rates.port.latency = replay_number(device, &DeviceSpec::l2_latency_cycles);
  return rates;
}

Duration duration_of(const Event& event, const EngineRates& rates) {
  if (event.direction == Direction::none) return {nearest_tick(work_of(event, rates.work).alone()), Cycles{}};
  const Cycles transfer = nearest_tick(static_cast<double>(event.bytes) * rates.port.cycles_per_byte);
  return {transfer, event.direction == Direction::read ? nearest_tick(rates.port.latency) : Cycles{}};
}

Cycles EngineClocks::book(Engine engine, Cycles earliest, Cycles busy) {
  Cycles& free = free_[static_cast<std::size_t>(engine)];
  const Cycles begin = std::max(free, earliest);
  free = begin + busy;
  return begin;
}

}  // namespace sim
