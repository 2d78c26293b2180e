// Device memory and on-chip memory of a plan.
#pragma once
#include <string>
#include <vector>

#include "sim/programs/scenario.h"

namespace sim {

/// Device memory while one kernel runs: the tensors of the caller and what the sequence still needs.
struct LiveTensors {
  std::string kernel;
  std::vector<Tensor> tensors;
  Bytes bytes;
};

/// One entry per kernel. A tensor is live from the kernel that writes it (from the first, when the sequence only reads
/// it) to the last that reads it. The caller owns Q, K, V and O throughout, dO from the first kernel that reads it to
/// the end, and dQ, dK, dV from the kernel that writes them to the end; the statistics stay to the end when no backward
/// pass follows, which needs them. No allocator rounding, no in-place tricks. O(kernels^2).
std::vector<LiveTensors> memory_over_time(const Plan& plan);

/// The kernel with the most bytes live, the first of several.
LiveTensors memory_peak(const Plan& plan);

/// Is it one of Q, K, V, O and their gradients, which the caller owns?
bool owned_by_caller(Tensor tensor);

struct MemoryMeter {
  Bytes peak_hbm, extra_hbm;       ///< extra: at the peak, beyond the tensors of the caller
  Bytes peak_sram, sram_capacity;  ///< of one CTA
};
MemoryMeter memory_meter(const Plan& plan, const std::vector<Trace>& traces);

}  // namespace sim
