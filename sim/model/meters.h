// The meters besides tile traffic, and the roofline time: HBM traffic after L2, compulsory traffic, peak memory.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "sim/programs/scenario.h"
#include "sim/trace/trace.h"

namespace sim {

/// Every input of a kernel read once, every output written once; statistics included; a kernel's traffic on its own
/// output is not compulsory. All heads, K and V once per KV head.
Traffic compulsory_traffic(const Plan& plan, const Launch& launch);

/// HBM traffic of a kernel by tensor, after the simple L2 of sim/machine/l2.h.
std::map<Tensor, Traffic> hbm_traffic(const Plan& plan, const Launch& launch, const Trace& trace);

/// Device memory while one kernel runs: the tensors of the caller (Q, K, V, O) and what the sequence still needs.
struct LiveTensors {
  std::string kernel;
  std::vector<Tensor> tensors;
  Bytes bytes;
};

/// One entry per kernel. A tensor is live from the kernel that writes it to the last that reads it; Q, K, V and O,
/// which the caller owns, and the statistics, which the backward pass needs, to the end. No allocator rounding, no
/// in-place tricks.
std::vector<LiveTensors> memory_over_time(const Plan& plan);

struct MemoryMeter {
  Bytes peak_hbm, extra_hbm;       ///< extra: beyond Q, K, V, O
  Bytes peak_sram, sram_capacity;  ///< of one CTA
};
MemoryMeter memory_meter(const Plan& plan, const std::vector<Trace>& traces);

/// The least time of one kernel: the slowest of its resources, each at its full rate, plus the launch.
/// Inaccuracies: no latency, no dependencies between engines, no tail; SMs without a CTA are idle.
struct KernelTime {
  std::string name;
  double microseconds = 0;
  std::int64_t ctas_per_sm = 1;
  double waves = 0;                                       ///< CTAs / (SMs x CTAs per SM)
  std::string bound_by;                                   ///< hbm, l2, tensor, fp32, exp or launch
  std::vector<std::pair<std::string, double>> resources;  ///< microseconds of each resource on its own
};
KernelTime roofline_time(const Plan& plan, const Launch& launch, const Trace& trace);

}  // namespace sim
