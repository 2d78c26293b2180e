#include "sim/model/memory.h"

#include <algorithm>

#include "sim/trace/tensors.h"

namespace sim {
namespace {

/// Indices of the kernels over which a tensor is live; first > last if it never is.
struct Life {
  std::size_t first, last;
};

Life life_of(const Plan& plan, Tensor name) {
  const std::size_t kernels = plan.launches.size();
  std::size_t writer = kernels, reader = kernels, last_use = 0;
  for (std::size_t k = 0; k < kernels; ++k) {
    const bool reads = plan.launches[k].reads(name), writes = plan.launches[k].writes(name);
    if (reads) reader = std::min(reader, k);
    if (writes) writer = std::min(writer, k);
    if (reads || writes) last_use = k;
  }
  const bool kept = owned_by_caller(name) || (is_statistic(name) && !plan.has_backward());
  const std::size_t last = kept ? kernels - 1 : last_use;
  if (owned_by_caller(name) && !facts_of(name).gradient) return {0, last};
  const bool given = reader <= writer && name != Tensor::dO;  // the sequence reads values that existed before it
  if (given && reader < kernels) return {0, last};
  return {std::min(reader, writer), last};
}

}  // namespace

bool owned_by_caller(Tensor tensor) { return facts_of(tensor).of_caller; }

std::vector<LiveTensors> memory_over_time(const Plan& plan) {
  std::vector<LiveTensors> result;
  for (const Launch& launch : plan.launches) result.push_back({launch.name, {}, Bytes{}});
  for (const Tensor name : hbm_tensors()) {
    if (name == Tensor::V && plan.problem.shape.kv_shared) continue;  // a part of K
    const Life life = life_of(plan, name);
    for (std::size_t k = life.first; k <= life.last && k < result.size(); ++k) {
      result[k].tensors.push_back(name);
      result[k].bytes += total_bytes(plan, name);
    }
  }
  return result;
}

LiveTensors memory_peak(const Plan& plan) {
  const std::vector<LiveTensors> over_time = memory_over_time(plan);
  return *std::max_element(over_time.begin(), over_time.end(),
                           [](const LiveTensors& a, const LiveTensors& b) { return a.bytes < b.bytes; });
}

MemoryMeter memory_meter(const Plan& plan, const std::vector<Trace>& traces) {
  MemoryMeter meter;
  const LiveTensors peak = memory_peak(plan);
  meter.peak_hbm = peak.bytes;
  for (const Tensor name : peak.tensors) {
    if (!owned_by_caller(name)) meter.extra_hbm += total_bytes(plan, name);
  }
  for (const Trace& trace : traces) meter.peak_sram = std::max(meter.peak_sram, trace.peak_smem);
  meter.sram_capacity = plan.capacity.smem;
  return meter;
}

}  // namespace sim
