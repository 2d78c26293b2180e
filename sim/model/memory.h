// Device memory and on-chip memory of a plan.
#pragma once
#include <string>
#include <vector>

#include "sim/programs/scenario.h"

namespace sim {

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

}  // namespace sim
