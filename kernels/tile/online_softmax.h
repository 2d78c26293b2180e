// Softmax of FlashAttention-2 on a warp's accumulators: maximum, exponentials and sum of a tile's rows, and the
// rescaling of O. Four lanes share a row; a lane has rows 16 i + g + 8 h, columns 8 j + 2 t and the next, with g = lane
// / 4, t = lane % 4. Source: Dao 2023, Algorithm 1.
#pragma once
#include <cfloat>

#include "kernels/tile/dropout_fragment.h"
#include "kernels/tile/fragment.h"
#include "kernels/tile/mask.h"
#include "kernels/tile/score_steps.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

inline constexpr float log2_of_e = 1.44269504088896341f, log_of_2 = 0.693147180559945309f;

/// g and 2 t of this lane; recomputed at each use rather than kept in registers.
struct LanePlace {
  int row, col;
};
__device__ inline LanePlace lane_place() {
  const unsigned lane = static_cast<unsigned>(dev::opaque(static_cast<int>(threadIdx.x))) % 32;
  return {static_cast<int>(lane / 4), static_cast<int>(lane % 4 * 2)};
}

/// m and l of this lane's rows, row 16 i + g + 8 h at [i][h]. The maximum is c m, of scores scaled to exponents of 2,
/// and the lowest float for a row that has seen nothing; the sum is over this lane's columns.
template <int m>
struct RowStatistics {
  float max[m][2], sum[m][2];
};

template <int m>
__device__ void clear(RowStatistics<m>& rows) {
  DEV_UNROLL
  for (int i = 0; i < m; ++i) {
    rows.max[i][0] = rows.max[i][1] = -FLT_MAX;  // not -inf: -inf - -inf would be NaN
    rows.sum[i][0] = rows.sum[i][1] = 0;
  }
}

/// Maximum, and sum, over the four lanes of a row.
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

/// S = softcap tanh(scale S / softcap): two multiplications and a tanh an entry.
template <int m, int n>
__device__ void cap(float (&S)[m][n][4], const Arguments& a) {
  const float factor = a.scale / a.softcap;
  DEV_UNROLL
  for (int i = 0; i < m; ++i) {
    DEV_UNROLL
    for (int j = 0; j < n; ++j) {
      DEV_UNROLL
      for (int e = 0; e < 4; ++e) S[i][j][e] = a.softcap * dev::tanh_approximate(S[i][j][e] * factor);
    }
  }
}

/// S = S - slope |p - key|, p the place of the row's query: an addition and a multiply-add an entry.
template <bool packs, int m, int n>
__device__ void subtract_distance(float (&S)[m][n][4], const Arguments& a, const float* slopes, std::int32_t query,
                                  std::int32_t key) {
  const LanePlace lane = lane_place();
  const bool packed = packs && a.heads_in_rows > 1;
  DEV_UNROLL
  for (int row = 0; row < 2 * m; ++row) {
    const int own = 8 * row + lane.row;
    const float slope = slopes[packed ? own : 0];
    const auto first = static_cast<float>(position_of<packs>(a, query + own) - key - lane.col);
    DEV_UNROLL
    for (int col = 0; col < 2 * n; ++col) {
      const auto key_of_col = static_cast<float>(col / 2 * 8 + col % 2);
      S[row / 2][col / 2][row % 2 * 2 + col % 2] -= slope * fabsf(first - key_of_col);
    }
  }
}

/// S = score steps of scale S, before the mask. S starts at `query` and `key`; `slopes` has those of its rows, or one.
template <bool packs, int m, int n>
__device__ void modify(float (&S)[m][n][4], const Arguments& a, const float* slopes, std::int32_t query,
                       std::int32_t key) {
  if (a.softcap > 0) {
    cap(S, a);
  } else {
    multiply(S, a.scale);
  }
  if (a.alibi) subtract_distance<packs>(S, a, slopes, query, key);
}

/// S = -inf if the key is hidden from the query. S starts at `query` and `key`.
template <bool ahead, int m, int n>
__device__ void hide(float (&S)[m][n][4], const Arguments& a, std::int32_t query, std::int32_t key) {
  const LanePlace lane = lane_place();
  DEV_UNROLL
  for (int row = 0; row < 2 * m; ++row) {
    const Range seen = key_bounds<ahead>(a, query + 8 * row + lane.row);
    const std::int32_t begin = seen.begin - key - lane.col, end = seen.end - key - lane.col;
    DEV_UNROLL
    for (int col = 0; col < 2 * n; ++col) {
      const int key_of_col = col / 2 * 8 + col % 2;
      float& score = S[row / 2][col / 2][row % 2 * 2 + col % 2];
      if (key_of_col < begin || key_of_col >= end) score = -dev::infinity();
    }
  }
}

/// One tile: m' = max(m, rowmax(S)); S becomes P = exp2(c S - c m'), one multiply-add and one exponential an entry;
/// l = alpha l + rowsum(P) and O = alpha O, alpha = exp2(c m - c m'). c > 0. A row that sees nothing keeps l = 0.
template <int m, int n, int n_out>
__device__ void softmax_step(float (&S)[m][n][4], float (&O)[m][n_out][4], RowStatistics<m>& rows, float c) {
  DEV_UNROLL
  for (int row = 0; row < 2 * m; ++row) {
    const int i = row / 2, h = row % 2;
    float largest = S[i][0][2 * h];
    DEV_UNROLL
    for (int col = 1; col < 2 * n; ++col) largest = fmaxf(largest, S[i][col / 2][2 * h + col % 2]);
    const float shift = fmaxf(rows.max[i][h], quad_max(largest) * c);
    const float alpha = dev::exp2(rows.max[i][h] - shift);
    rows.max[i][h] = shift;
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

/// P = 0 if dropout drops the entry, in rounded P, which needs half of the registers. The factor is applied at the end.
/// P starts at `query` and `key`, a multiple of 4.
template <class T, int m, int k>
__device__ void drop(LeftRounded<T, m, k>& P, const Arguments& a, std::int64_t head, std::int32_t query,
                     std::int32_t key) {
  each_drawn<m, 2 * k>(a, head, query, key, [&](int i, int j, int r, bool kept) {
    std::uint32_t& pair = P.a_of[i][j / 2][j % 2 * 2 + r / 2];
    if (!kept) pair &= r % 2 == 0 ? 0xffff0000u : 0x0000ffffu;
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
