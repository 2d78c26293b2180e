// Device memory and on-chip memory of a plan.
#pragma once
#include <string>
#include <vector>

#include "sim/programs/plan.h"
#include "sim/trace/trace.h"

namespace sim {

/// Device memory while one kernel runs: the tensors of the caller and those that the sequence still needs.
struct LiveTensors {
  std::string kernel;
  std::vector<Tensor> tensors;
  Bytes bytes;
};

/// Returns one entry per kernel. A tensor is live from the kernel that writes it (from the first, if the sequence only
/// reads it) to the last that reads it. The caller owns Q, K, V and O throughout, dO from the first kernel that reads
/// it to the end, and dQ, dK, dV from the kernel that writes them to the end; the statistics are kept to the end unless
/// a backward pass, which needs them, follows. No allocator rounding, no buffer reuse in place. O(kernels^2).
std::vector<LiveTensors> memory_over_time(const Plan& plan);

/// Returns the kernel with the most live bytes, the first of several.
LiveTensors memory_peak(const Plan& plan);

/// True for Q, K, V, O and their gradients, which the caller owns.
bool owned_by_caller(Tensor tensor);

struct MemoryMeter {
  Bytes peak_hbm, extra_hbm;       ///< extra: at the peak, beyond the tensors of the caller
  Bytes peak_sram, sram_capacity;  ///< SRAM of one CTA
};
MemoryMeter memory_meter(const Plan& plan, const std::vector<Trace>& traces);

}  // namespace sim
