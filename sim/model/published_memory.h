// Memory as the FlashAttention paper measured it, in closed form, to stand beside what the replayed programs hold.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/model/simulation.h"

namespace sim {

/// What a measured framework allocated for one forward and backward pass of attention.
struct PublishedMemory {
  Bytes bytes;
  std::string equation;                  ///< with B batch, H heads, N queries and keys, d head dimension, e bytes
  std::string source;                    ///< table and what ran
  std::vector<std::string> differences;  ///< what it holds that the replayed program does not, and the reverse
};

/// The formula that reproduces Table 21 of Dao et al. 2022 (A100, batch 16, 8 heads, d 64, fp16, no mask, no dropout,
/// N 128 to 65,536) to the megabyte:
///   PyTorch         4 N^2 B H e + 10 N d B H e
///   FlashAttention  (11 + 2 [N > 256]) N d B H e + 2 N 4 B H
/// The table prints totals; which tensors they are is our reading. Gives a value where the table speaks: both passes of
/// `standard` or `flash1`, 16-bit types, as many queries as keys, every query head with its own K and V, no mask and no
/// dropout; else nothing.
std::optional<PublishedMemory> published_memory(const Plan& plan);

}  // namespace sim
