// Products of tiles, eight elements at a time.
#pragma once
#include <cstdint>

namespace sim::math {

/// A matrix in memory: element (r, c) is at[r * row + c * col].
struct Strided {
  const float* at;
  std::int64_t row, col;
};

/// Adds A (m, k) B (k, n) to C (m, n), which is row-major: the terms of an element are summed in fp32 in the order of
/// k, and their sum is added to C. Returns false, and leaves C unchanged, if the processor or the sizes are not
/// supported.
bool add_product_in_order(float* c, Strided a, Strided b, std::int64_t m, std::int64_t n, std::int64_t k);

}  // namespace sim::math
