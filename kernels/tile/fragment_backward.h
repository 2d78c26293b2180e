// Additions to fragment.h for the tensor-core backward pass: products shared by eight warps, stripes of tiles, dropout
// in fragments, and dQ_acc in the order of fragments.
#pragma once
#include "kernels/tile/dropout_fragment.h"
#include "kernels/tile/fragment.h"
#include "kernels/tile/mask.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

inline constexpr int warps = 8;

/// Number of the `warps` warps stacked along the rows of a product (rows, cols) that they share. Parts are as square as
/// blocks of 16 x 16 allow, since a warp reads (rows / down + cols / across) operands per step.
constexpr int warps_down(int rows, int cols) {
  int best = 0, least = 0;
  for (int down = 1; down <= warps; down *= 2) {
    if (rows % (16 * down) != 0 || cols * down % (16 * warps) != 0) continue;
    const int reads = rows / down + cols * down / warps;
    if (best == 0 || reads <= least) best = down, least = reads;
  }
  return best;
}

/// This warp's part of a product (rows, cols): Accumulators<m, n>. Parts form a grid of `down` x `across`.
template <int rows, int cols>
struct WarpPart {
  static constexpr int down = warps_down(rows, cols), across = warps / down;
  static constexpr int m = rows / down / 16, n = cols / across / 8;
  using Sums = Accumulators<m, n>;
  __device__ static int down_index() { return static_cast<int>(thread_number() / 32 / across); }
  __device__ static int across_index() { return static_cast<int>(thread_number() / 32 % across); }
  __device__ static int first_row() { return down_index() * 16 * m; }
  __device__ static int first_col() { return across_index() * 8 * n; }
};

/// Blocks of 16 columns `first`, `first` + step, `first` + 2 step ... of a tile, as a tile. Requires `first` < step, or
/// step 1 and `first` a multiple of the number of blocks used, a power of two: offsets then stay one XOR apart.
template <class Tile, int step>
struct Stripe {
  static constexpr int row_bytes = Tile::row_bytes;
  unsigned char* at;
  int first;
  __device__ Stripe(Tile tile, int first_block) : at(tile.at), first(first_block) {}
  __device__ int offset(int row, int chunk) const { return Tile::offset(row, 2 * first + chunk); }
  template <class Place>
  __device__ static Place along(Place lane, int chunks) {
    return Tile::along(lane, chunks / 2 * 2 * step + chunks % 2);
  }
};

template <int step = 1, class Tile>
__device__ Stripe<Tile, step> stripe(Tile tile, int first = 0) {
  return {tile, first};
}

/// gemm_add, unrolled or in a loop: a warp that holds many accumulators has too few registers to unroll it.
template <bool unrolled, class T, int depth, int m, int n, class A, class B>
__device__ void gemm(float (&c)[m][n][4], const A& left, const B& right) {
  static_assert(depth % 16 == 0);
  if constexpr (unrolled) {
    gemm_add<T, depth>(c, left, right);
  } else {
    DEV_UNROLL_TWICE
    for (int k = 0; k < depth / 16; ++k) gemm_step<T>(c, left, right, k);
  }
}

/// Calls f(i, j, r) for each accumulator [i][j][r] of (16 m, 8 n).
template <int m, int n, class F>
__device__ void each_sum(F f) {
  DEV_UNROLL
  for (int i = 0; i < m; ++i) {
    DEV_UNROLL
    for (int j = 0; j < n; ++j) {
      DEV_UNROLL
      for (int r = 0; r < 4; ++r) f(i, j, r);
    }
  }
}

/// Flips the sign of every element that dropout drops; `query` and `key` are those of row 0 and column 0 of the part,
/// key a multiple of 4.
template <int m, int n>
__device__ void mark_dropped(float (&P)[m][n][4], const Arguments& a, std::int64_t head, std::int32_t query,
                             std::int32_t key) {
  each_drawn<m, n, 4>(a, head, query, key, [&](int i, int j, int r, bool kept) {
    if (!kept) P[i][j][r] = -P[i][j][r];
  });
}

// dQ_acc is written by these kernels alone, in a private order: eight rows are stored together, ordered by the
// instruction of a warp that adds the elements. So 32 lanes add to 128 contiguous bytes instead of to eight rows.
// Element (row g, column 8 j + 2 t + e) of a group of `rows` rows (8, or fewer at the end) is at
// (2 j + e) 4 rows + 4 g + t.

/// Adds rows 8 group .. of a part, `rows` of which exist, to their group of dQ_acc; `at` is the lane's first element in
/// it.
template <class WarpPart, int m, int n>
__device__ void add_group(float* at, std::int32_t rows, const float (&dQ)[m][n][4], int group) {
  DEV_UNROLL
  for (int j = 0; j < n; ++j) {
    const int eight = 2 * (j / 2 * WarpPart::across) + j % 2;  // group of eight columns, from the part's first
    dev::atomic_add(at + eight * 8 * rows, dQ[group / 2][j][group % 2 * 2]);
    dev::atomic_add(at + eight * 8 * rows + 4 * rows, dQ[group / 2][j][group % 2 * 2 + 1]);
  }
}

/// dQ_acc += part of (Br, d) in fp32, for the existing rows from `first` on; `sums` is the head's dQ_acc. One atomic
/// per element. If all rows exist, the usual case, the addresses are constants apart.
template <class WarpPart, int d, int m, int n>
__device__ void add_to_sums(float* sums, std::int32_t first, std::int32_t seqlen_q, const float (&dQ)[m][n][4]) {
  const int lane = lane_number(), across = WarpPart::across_index();
  first += WarpPart::first_row();
  sums += first * d + lane;
  if (first + 16 * m <= seqlen_q) {
    sums += dev::opaque(across * 16 * 8);
    DEV_UNROLL
    for (int group = 0; group < 2 * m; ++group) add_group<WarpPart>(sums + 8 * group * d, 8, dQ, group);
  } else {
    DEV_UNROLL
    for (int group = 0; group < 2 * m; ++group) {
      const std::int32_t rows = smaller(8, seqlen_q - first - 8 * group);
      if (lane / 4 < rows) add_group<WarpPart>(sums + 8 * group * d + across * 16 * rows, rows, dQ, group);
    }
  }
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
