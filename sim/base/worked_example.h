// Inputs of the worked example, on which the papers' algorithms can be followed by hand: small integers, exact in every
// dtype, with V = Q.
#pragma once
#include "sim/base/attention.h"

namespace sim::worked_example {

inline constexpr std::int64_t seqlen = 4,
                              head_dim = 2;  ///< sizes of the only head; 2 x 2 blocks: two iterations per axis

/// Q, K, V and dO, each (4, 2) and row-major.
inline AttentionInputs inputs() {
  return {{1, 0, 0, 1, 2, 1, 1, 2}, {1, 1, 0, 2, 1, 0, 2, 1}, {1, 0, 0, 1, 2, 1, 1, 2}, {1, 0, 0, 1, 1, 1, 1, -1}};
}

}  // namespace sim::worked_example
