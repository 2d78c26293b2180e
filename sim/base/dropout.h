// Dropout of attention: a counter-based generator decides which entries of P are kept, so that no mask is ever stored.
// Source: Philox4x32-10, Salmon et al. 2011 (Random123); dropout in attention: Dao et al. 2022, appendix B.3.
#pragma once
#include <cstdint>
#include <span>

#include "sim/base/shape.h"

namespace sim {

/// Dropout of P: entry (head, query, key) is kept with probability 1 - p and scaled by 1 / (1 - p), else 0.
struct Dropout {
  double probability = 0;  ///< probability of dropping an entry, in [0, 1)
  std::uint64_t seed = 0;
  std::int64_t first_head = 0;  ///< index of head 0 in the whole problem: a subset of heads draws the same mask
  bool any() const { return probability > 0; }
  float factor() const;             ///< 1 / (1 - p)
  std::uint64_t keep_from() const;  ///< an entry is kept iff its word reaches round(p 2^32); 2^32 for p just below 1
  void check() const;               ///< throws Error unless 0 <= p < 1; NaN is rejected too
  friend bool operator==(const Dropout&, const Dropout&) = default;
};

/// keep[k - keys.begin] = 1 where entry (head, query, k) is kept, else 0. `head` = batch entry * query heads + head,
/// from dropout.first_head on. The result depends on (seed, head, query, key) alone: any tiling, any order, forward and
/// backward give the same mask.
///
/// The word of an entry is word key % 4 of Philox4x32-10 with
///   counter = {key / 4, query, head, 1}    (the 1 separates these words from those of draw_inputs, which uses 0)
///   key     = {low 32 bits of the seed, high 32 bits},
/// and the entry is kept iff its word >= round(p 2^32), ties away from zero. So p is exact to 2^-33: for p >= 1 - 2^-33
/// everything is dropped, for p < 2^-33 nothing. Cost: one Philox call per 4 keys. Throws Error if p is not in [0, 1),
/// if head or query does not fit in 32 bits or a key in 34, or if `keep` is shorter than `keys`; values of `keep` from
/// keys.size() on are unchanged.
void keep_row(const Dropout& dropout, std::int64_t head, std::int64_t query, Interval keys, std::span<float> keep);

}  // namespace sim
