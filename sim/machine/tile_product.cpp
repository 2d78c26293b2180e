// Eigen's products, compiled for every processor of an architecture, process four elements at a time. x86 processors
// since 2013 process eight (AVX2), so products take half the time here. No bit may depend on that: each element of C is
//   C_ij + (((A_i0 B_0j) + A_i1 B_1j) + A_i2 B_2j + ...),
// every operation rounded to fp32, as Eigen computes it for the sizes that are accepted here: Eigen sums long products
// in pieces, single rows by halves, and leftover columns in two sums.
#include "sim/machine/tile_product.h"

#include "sim/base/wide.h"

#ifdef FLASHSCOPE_WIDE  // otherwise Eigen's products are as wide already, or the processor is not x86

#include <vector>

namespace sim::math {
namespace {

constexpr std::int64_t panel = 16;              // columns of B per pass over k
constexpr std::int64_t longest_in_order = 512;  // k; see sim/base/eigen.h

using Eight [[gnu::vector_size(32), gnu::aligned(4), gnu::may_alias]] = float;

/// Adds to `rows` rows of a panel of C: their sums stay in registers until all of k is summed.
template <int rows>
[[gnu::target("avx2"), gnu::always_inline]] inline void add_rows(float* c, std::int64_t n, Strided a, const float* b,
                                                                 std::int64_t k) {
  Eight sums[rows][2] = {};
  for (std::int64_t t = 0; t < k; ++t, a.at += a.col, b += panel) {
    const Eight left = *reinterpret_cast<const Eight*>(b), right = *reinterpret_cast<const Eight*>(b + 8);
    for (int r = 0; r < rows; ++r) {
      sums[r][0] += a.at[r * a.row] * left;
      sums[r][1] += a.at[r * a.row] * right;
    }
  }
  for (int r = 0; r < rows; ++r, c += n) {
    *reinterpret_cast<Eight*>(c) += sums[r][0];
    *reinterpret_cast<Eight*>(c + 8) += sums[r][1];
  }
}

FLASHSCOPE_WIDE void add_panel(float* c, std::int64_t m, std::int64_t n, Strided a, const float* b, std::int64_t k) {
  constexpr int at_once = 4;
  std::int64_t i = 0;
  for (; i + at_once <= m; i += at_once, a.at += at_once * a.row) add_rows<at_once>(c + i * n, n, a, b, k);
  for (; i < m; ++i, a.at += a.row) add_rows<1>(c + i * n, n, a, b, k);
}

}  // namespace

bool add_product_in_order(float* c, Strided a, Strided b, std::int64_t m, std::int64_t n, std::int64_t k) {
  if (m < 2 || n % panel != 0 || k > longest_in_order || !wide::fits()) return false;
  std::vector<float> columns(static_cast<std::size_t>(k * panel));
  for (std::int64_t j = 0; j < n; j += panel, b.at += panel * b.col) {
    float* to = columns.data();
    for (std::int64_t t = 0; t < k; ++t) {
      for (std::int64_t column = 0; column < panel; ++column) *to++ = b.at[t * b.row + column * b.col];
    }
    add_panel(c + j, m, n, a, columns.data(), k);
  }
  return true;
}

}  // namespace sim::math

#else

namespace sim::math {
bool add_product_in_order(float*, Strided, Strided, std::int64_t, std::int64_t, std::int64_t) { return false; }
}  // namespace sim::math

#endif
