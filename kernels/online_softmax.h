// The softmax of FlashAttention-2 on a warp's accumulators: maximum, exponentials and sum of a tile's rows, and what
// they do to O. Four lanes share a row; a lane has rows 16 i + g + 8 h, columns 8 j + 2 t and the next, where
// g = lane / 4, t = lane % 4. Source: Dao 2023, Algorithm 1.
#pragma once
#include "kernels/dropout.h"
#include "kernels/fragment.h"
#include "kernels/mask.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

inline constexpr float log2_of_e = 1.44269504088896341f;

/// The fragment's place: g and t of this lane.
__device__ inline int lane_row() { return static_cast<int>(threadIdx.x) % 32 / 4; }
__device__ inline int lane_col() { return static_cast<int>(threadIdx.x) % 4 * 2; }

/// m and l of the rows that this lane has a part of, row 16 i + g + 8 h at [i][h]. The maximum is of S before its
/// scale; the sum is of this lane's columns.
template <int m>
struct RowStatistics {
  float max[m][2], sum[m][2];
};

template <int m>
__device__ void clear(RowStatistics<m>& rows) {
  DEV_UNROLL
  for (int i = 0; i < m; ++i) {
    rows.max[i][0] = rows.max[i][1] = -dev::infinity();
    rows.sum[i][0] = rows.sum[i][1] = 0;
  }
}

/// The largest, and the sum, of the four lanes of a row.
__device__ inline float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}
__device__ inline float quad_sum(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

template <int m, int n>
__device__ void multiply(float (&c)[m][n][4], float factor) {
  DEV_UNROLL
  for (int i = 0; i < m; ++i) {
    DEV_UNROLL
    for (int j = 0; j < n; ++j) {
      DEV_UNROLL
      for (int e = 0; e < 4; ++e) c[i][j][e] *= factor;
    }
  }
}

/// S = -inf where the key is hidden from the query. S begins at `query` and `key`.
template <int m, int n>
__device__ void hide(float (&S)[m][n][4], const Arguments& a, std::int32_t query, std::int32_t key) {
  DEV_UNROLL
  for (int row = 0; row < 2 * m; ++row) {
    const Range seen = key_bounds(a, query + 8 * row + lane_row());
    const std::int32_t begin = seen.begin - key - lane_col(), end = seen.end - key - lane_col();
    DEV_UNROLL
    for (int col = 0; col < 2 * n; ++col) {
      const int key_of_col = col / 2 * 8 + col % 2;
      float& score = S[row / 2][col / 2][row % 2 * 2 + col % 2];
      if (key_of_col < begin || key_of_col >= end) score = -dev::infinity();
    }
  }
}

/// c m, 0 for a row that has seen nothing: -inf - -inf would be NaN.
__device__ inline float shift_of(float max, float c) { return max == -dev::infinity() ? 0.0f : max * c; }

/// One tile: m' = max(m, rowmax(S)); S becomes P = exp2(c S - c m'), one multiply-add and one exponential an entry;
/// l = alpha l + rowsum(P) and O = alpha O, alpha = exp2(c m - c m'). A row that sees nothing keeps m = -inf and P = 0.
template <int m, int n, int n_out>
__device__ void softmax_step(float (&S)[m][n][4], float (&O)[m][n_out][4], RowStatistics<m>& rows, float c) {
  DEV_UNROLL
  for (int row = 0; row < 2 * m; ++row) {
    const int i = row / 2, h = row % 2;
    float largest = rows.max[i][h];
    DEV_UNROLL
    for (int j = 0; j < n; ++j) largest = fmaxf(largest, fmaxf(S[i][j][2 * h], S[i][j][2 * h + 1]));
    largest = quad_max(largest);
    const float shift = shift_of(largest, c);
    const float alpha = dev::exp2(rows.max[i][h] * c - shift);
    rows.max[i][h] = largest;
    float sum = rows.sum[i][h] * alpha;
    DEV_UNROLL
    for (int col = 0; col < 2 * n; ++col) {
      float& entry = S[i][col / 2][2 * h + col % 2];
      entry = dev::exp2(entry * c - shift);
      sum += entry;
    }
    rows.sum[i][h] = sum;
    DEV_UNROLL
    for (int col = 0; col < 2 * n_out; ++col) O[i][col / 2][2 * h + col % 2] *= alpha;
  }
}

/// P = 0 where dropout drops; the factor is left to the end. P begins at `query` and `key`, a multiple of 4. One draw
/// is for four keys of a row, which two lanes share: the even one draws for row g, the odd one for row g + 8, and they
/// swap halves.
template <int m, int n>
__device__ void drop(float (&P)[m][n][4], const Arguments& a, std::int64_t head, std::int32_t query, std::int32_t key) {
  const int odd = static_cast<int>(threadIdx.x) % 2;
  DEV_UNROLL
  for (int i = 0; i < m; ++i) {
    DEV_UNROLL
    for (int j = 0; j < n; ++j) {
      const std::int32_t quarter = key / 4 + 2 * j + lane_col() / 4;
      const Words drawn = dropout_words(a, head, query + 16 * i + 8 * odd + lane_row(), quarter);
      DEV_UNROLL
      for (int e = 0; e < 2; ++e) {
        const std::uint32_t own = odd != 0 ? drawn.word[2 + e] : drawn.word[e];
        const std::uint32_t other = odd != 0 ? drawn.word[e] : drawn.word[2 + e];
        const std::uint32_t swapped = __shfl_xor_sync(0xffffffffu, other, 1);
        if (!keeps(a, odd != 0 ? swapped : own)) P[i][j][e] = 0;
        if (!keeps(a, odd != 0 ? own : swapped)) P[i][j][2 + e] = 0;
      }
    }
  }
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
