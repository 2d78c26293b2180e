#include "sim/model/memory.h"

#include <algorithm>
#include <set>

namespace sim {
namespace {

constexpr Tensor owned_by_caller[] = {Tensor::Q, Tensor::K, Tensor::V, Tensor::O};

bool contains(const std::vector<Tensor>& tensors, Tensor tensor) {
  return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
}

}  // namespace

std::vector<LiveTensors> memory_over_time(const Plan& plan) {
  std::vector<LiveTensors> result;
  for (std::size_t now = 0; now < plan.launches.size(); ++now) {
    std::set<Tensor> live(std::begin(owned_by_caller), std::end(owned_by_caller));
    for (std::size_t writer = 0; writer <= now; ++writer) {
      for (const Tensor name : plan.launches[writer].outputs) {
        bool needed = writer == now || is_statistic(name);
        for (std::size_t reader = now; reader < plan.launches.size(); ++reader) {
          needed = needed || contains(plan.launches[reader].inputs, name);
        }
        if (needed) live.insert(name);
      }
    }
    LiveTensors entry{plan.launches[now].name, {live.begin(), live.end()}, Bytes{}};
    for (const Tensor name : live) entry.bytes += plan.problem.hbm[name].total_bytes(plan.problem.shape);
    result.push_back(entry);
  }
  return result;
}

MemoryMeter memory_meter(const Plan& plan, const std::vector<Trace>& traces) {
  MemoryMeter meter;
  for (const LiveTensors& entry : memory_over_time(plan)) meter.peak_hbm = std::max(meter.peak_hbm, entry.bytes);
  Bytes owned;
  for (const Tensor name : owned_by_caller) {
    owned += plan.problem.hbm[name].total_bytes(plan.problem.shape);
  }
  meter.extra_hbm = meter.peak_hbm - owned;
  for (const Trace& trace : traces) meter.peak_sram = std::max(meter.peak_sram, trace.peak_smem);
  meter.sram_capacity = plan.capacity.smem;
  return meter;
}

}  // namespace sim
