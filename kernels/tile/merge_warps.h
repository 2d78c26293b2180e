// Merges the O, l and m of warps that split a tile's keys instead of its rows, through shared memory at the end.
// Source: Dao 2023, section 3.3, "split-K".
// Inaccuracies: FlashAttention-1 merges after every tile.
#pragma once
#include "kernels/tile/online_softmax.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Shared memory of a merge of (rows, d): m of each warp, the sums O and l. Rows of O are padded by 32 bytes, so that
/// the 16 lanes of a pass, which access pairs of four rows, hit different banks. Several merges are contiguous, an odd
/// number of 16 rows apart for the same reason.
template <int merged_warps, int rows, int d>
struct MergeSpace {
  static constexpr int warps = merged_warps, pitch = d + 8, floats = ((warps + 1 + pitch) | 1) * rows;
  float *max, *l, *O;
  __device__ explicit MergeSpace(int merge = 0)
      : max(reinterpret_cast<float*>(dev::shared_memory()) + merge * floats), l(max + warps * rows), O(l + rows) {}
  /// This lane's pair in block j, columns 8 j .., of O.
  __device__ float* pair(int row, int j, const LanePlace& lane) const { return O + row * pitch + 8 * j + lane.col; }
};

/// Returns the largest m of the warps in a row.
template <int warps, int rows>
__device__ float max_of_warps(const float* max, int row) {
  float largest = max[row];
  for (int warp = 1; warp < warps; ++warp) largest = fmaxf(largest, max[warp * rows + row]);
  return largest;
}

/// m = max of the warps' m; l and O are rescaled to it.
template <int warps, int m, int n>
__device__ void rescale(float (&O)[m][n][4], RowStatistics<m>& rows, const float* max) {
  const LanePlace lane = lane_place();
  DEV_UNROLL
  for (int r = 0; r < 2 * m; ++r) {
    const int i = r / 2, h = r % 2;
    const float largest = max_of_warps<warps, 16 * m>(max, 8 * r + lane.row);
    const float alpha = dev::exp2(rows.max[i][h] - largest);
    rows.max[i][h] = largest;
    rows.sum[i][h] = quad_sum(rows.sum[i][h] * alpha);
    DEV_UNROLL
    for (int col = 0; col < 2 * n; ++col) O[i][col / 2][2 * h + col % 2] *= alpha;
  }
}

/// Adds a warp's O and l to the sums; `begin` overwrites them.
template <class Space, int m, int n>
__device__ void add(const float (&O)[m][n][4], const RowStatistics<m>& rows, const Space& sums, bool begin) {
  const LanePlace lane = lane_place();
  DEV_UNROLL
  for (int r = 0; r < 2 * m; ++r) {
    const int row = 8 * r + lane.row;
    DEV_UNROLL
    for (int j = 0; j < n; ++j) {
      const float* own = &O[r / 2][j][r % 2 * 2];
      float* at = sums.pair(row, j, lane);
      const dev::Pair sum = begin ? dev::Pair{} : dev::load_pair(at);
      dev::store_pair(at, {sum.first + own[0], sum.second + own[1]});
    }
    if (lane.col == 0) sums.l[row] = (begin ? 0 : sums.l[row]) + rows.sum[r / 2][r % 2];
  }
}

/// Loads the sums of rows `first` on, the share of one warp.
template <class Space, int m, int n>
__device__ void take(float (&O)[m][n][4], RowStatistics<m>& rows, const Space& sums, int first) {
  const LanePlace lane = lane_place();
  DEV_UNROLL
  for (int r = 0; r < 2 * m; ++r) {
    const int row = first + 8 * r + lane.row;
    DEV_UNROLL
    for (int j = 0; j < n; ++j) {
      const dev::Pair sum = dev::load_pair(sums.pair(row, j, lane));
      O[r / 2][j][r % 2 * 2] = sum.first;
      O[r / 2][j][r % 2 * 2 + 1] = sum.second;
    }
    rows.sum[r / 2][r % 2] = lane.col == 0 ? sums.l[row] : 0;  // the lanes of a row are summed again later
  }
}

/// Adds up the O (16 m, 8 n), l and m of the warps of a merge; `warp` is the index of this one. Called by all threads
/// of the block, which may read the sums on return.
template <class Space, int m, int n>
__device__ void add_up(float (&O)[m][n][4], RowStatistics<m>& rows, const Space& sums, int warp) {
  const LanePlace lane = lane_place();
  __syncthreads();  // all warps have finished with K and V
  DEV_UNROLL
  for (int r = 0; r < 2 * m; ++r)
    if (lane.col == 0) sums.max[warp * 16 * m + 8 * r + lane.row] = rows.max[r / 2][r % 2];
  __syncthreads();
  rescale<Space::warps>(O, rows, sums.max);
  for (int turn = 0; turn < Space::warps; ++turn) {
    if (turn == warp) add(O, rows, sums, turn == 0);
    __syncthreads();
  }
}

/// Merges the warps' parts of O (16 m, 8 n), l and m; each warp gets its share of the rows back.
template <int warps, int m, int n>
__device__ void merge_warps(float (&O)[m][n][4], RowStatistics<m>& rows, float (&own_O)[m / warps][n][4],
                            RowStatistics<m / warps>& own_rows) {
  const MergeSpace<warps, 16 * m, 8 * n> sums;
  const LanePlace lane = lane_place();
  const int warp = static_cast<int>(threadIdx.x / 32), own = m / warps;
  add_up(O, rows, sums, warp);
  take(own_O, own_rows, sums, warp * 16 * own);
  DEV_UNROLL
  for (int r = 0; r < 2 * own; ++r) {
    const int row = warp * 16 * own + 8 * r + lane.row;
    own_rows.max[r / 2][r % 2] = max_of_warps<warps, 16 * m>(sums.max, row);
  }
  __syncthreads();  // O is stored in the buffer of the sums
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
