// The inputs of the worked example, which the papers' algorithms can be followed on by hand: small whole numbers, exact
// in every dtype, and V = Q.
#pragma once
#include "sim/base/attention.h"

namespace sim::worked_example {

inline constexpr std::int64_t seqlen = 4, head_dim = 2;  ///< of its one head; blocks of 2 x 2 make two steps each way

/// Each (4, 2), row-major, with dO.
inline AttentionInputs inputs() {
  return {{1, 0, 0, 1, 2, 1, 1, 2}, {1, 1, 0, 2, 1, 0, 2, 1}, {1, 0, 0, 1, 2, 1, 1, 2}, {1, 0, 0, 1, 1, 1, 1, -1}};
}

}  // namespace sim::worked_example
