#include "sim/machine/engine.h"

#include <algorithm>
#include <cmath>

namespace sim {
namespace {

Cycles ticks(std::int64_t amount, double per_unit) {
  return Cycles(static_cast<std::int64_t>(std::ceil(static_cast<double>(amount) * per_unit)));
}

}  // namespace

EngineRates engine_rates(const DeviceSpec& device, Dtype dtype) {
  const double tick = static_cast<double>(ticks_per_cycle);
  const double cycles_per_second = static_cast<double>(device.clock_hz);
  const double bytes_per_second_and_sm =
      static_cast<double>(device.l2_bytes_per_second) / static_cast<double>(device.sm_count);
  EngineRates rates;
  rates.per_byte = tick * cycles_per_second / bytes_per_second_and_sm;
  rates.per_matmul_flop = tick / static_cast<double>(device.matmul_flops_per_clock(dtype));
  rates.per_other_flop = tick / (static_cast<double>(device.fp32_flops_per_clock) / 2);  // one lane, one operation
  rates.per_exp = tick / static_cast<double>(device.exps_per_clock);
  rates.copy_latency = whole_cycles(device.l2_latency_cycles);
  return rates;
}

Duration duration_of(const Event& event, const EngineRates& rates) {
  switch (event.engine) {
    case Engine::copy_in:
      return {ticks(event.bytes, rates.per_byte), rates.copy_latency};
    case Engine::copy_out:
      return {ticks(event.bytes, rates.per_byte), Cycles{}};
    case Engine::tensor:
    case Engine::fp32:  // also takes the matrix products of fp32
      return {ticks(event.matmul_flops, rates.per_matmul_flop) + ticks(event.other_flops, rates.per_other_flop),
              Cycles{}};
    case Engine::exp:
      return {ticks(event.exps, rates.per_exp), Cycles{}};
    case Engine::barrier:
      return {};
  }
  return {};
}

Cycles EngineClocks::book(Engine engine, Cycles earliest, Cycles busy) {
  Cycles& free = free_[static_cast<std::size_t>(engine)];
  const Cycles begin = std::max(free, earliest);
  free = begin + busy;
  return begin;
}

}  // namespace sim
