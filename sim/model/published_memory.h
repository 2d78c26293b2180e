// Memory as the FlashAttention paper measured it, in closed form, for comparison with the memory of the replayed
// programs.
#pragma once
#include <optional>

#include "sim/programs/plan.h"
#include "sim/programs/published_memory.h"

namespace sim {

/// Memory by the formula that reproduces Table 21 of Dao et al. 2022 (A100, batch 16, 8 heads, d 64, fp16, no mask, no
/// dropout, N 128 to 65,536) to the megabyte:
///   PyTorch         4 N^2 B H e + 10 N d B H e
///   FlashAttention  (11 + 2 [N > 256]) N d B H e + 2 N 4 B H
/// The table prints totals; their split into tensors is our reading. Returns a value only for cases that the table
/// covers: both passes of a program that it has, 16-bit types, Nq = Nk, every query head with its own K
/// and V, no mask and no dropout; otherwise empty.
std::optional<PublishedMemory> published_memory(const Plan& plan);

}  // namespace sim
