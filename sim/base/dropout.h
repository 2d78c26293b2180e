// Dropout of P: which entries are kept, from a counter, so that no mask has to be stored.
#pragma once
#include <cstdint>
#include <span>

#include "sim/base/shape.h"

namespace sim {

/// Dropout of P: entry (head, query, key) is kept with probability 1 - p and scaled by 1 / (1 - p), else 0.
struct Dropout {
  double probability = 0;  ///< of dropping an entry, in [0, 1)
  std::uint64_t seed = 0;
  bool any() const { return probability > 0; }
  float factor() const { return static_cast<float>(1.0 / (1.0 - probability)); }
};

/// keep[k - keys.begin] = 1 where entry (head, query, k) is kept, else 0; head = batch entry x query heads + head.
/// The mask depends on (seed, head, query, key) alone, so any tiling, any order, forward and backward draw the same
/// one:
///   word = Philox4x32-10(key = (seed low, seed high), counter = (k / 4, query, head, 1))[k % 4]
///   kept iff word >= round(p 2^32)
/// Inputs are drawn with 0 as the last counter word. Source: Salmon et al. 2011; Dao et al. 2022, appendix B.3.
/// Cost: one Philox call per four keys. Throws Error for a probability outside [0, 1).
void keep_row(const Dropout& dropout, std::int64_t head, std::int64_t query, Interval keys, std::span<float> keep);

}  // namespace sim
