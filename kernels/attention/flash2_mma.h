// FlashAttention-2, forward, on tensor cores: matches sim/programs/flash2/flash2.cpp for fp16 and bf16. Four warps own
// one block of query rows, each a part of the rows, so that no warp needs another's results; S, P and O stay in
// registers, where P is an operand of PV in place. V_j loads while S = Q_i K_j^T and its softmax are computed, K_{j+1}
// during P V_j.
// Source: Dao 2023, Algorithm 1 and section 3.3.
// Inaccuracies: a NaN or infinity in a row of V that only some queries of a row block see reaches the O of the others
// as 0 x NaN, as in the published kernels. On a GPU softcap takes tanh from one instruction, as they do: its relative
// error is up to 2^-11.
#pragma once
#include <utility>

#include "kernels/attention/key_stream.h"
#include "kernels/attention/support.h"
#include "kernels/tile/merge_warps.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// The optimisation that a ladder step disables: interleaving softmax with P V, swizzling, overlapping loads with
/// arithmetic, or splitting a tile by rows (split_k splits it by keys). Only the full kernel interleaves.
enum class LeftOut { nothing, unmixed, unswizzled, single_buffered, split_k };

/// Key-block policy of flash2: visits every block in order.
struct EveryBlock {
  __device__ EveryBlock(const Arguments&, const CtaBlocks&, unsigned char*) {}
  __device__ std::int32_t from(std::int32_t j) const { return j; }
  static std::int64_t bytes(const Arguments&) { return 0; }
};

/// Menu of tiles; a kernel is compiled for each.
template <LeftOut left_out>
constexpr auto menu_of() {
  if constexpr (left_out == LeftOut::nothing) {
    return flash2_mma_tiles;
  } else if constexpr (left_out == LeftOut::split_k) {
    return flash2_mma_split_k_tiles;
  } else {
    return flash2_mma_step_tiles;
  }
}

/// Compile-time configuration. Shared memory: Q (Br, d), K and V (Bc, d). A warp computes S (16 m, 8 n).
template <class T, int d_, int br_, int bc_, LeftOut left_out = LeftOut::nothing>
struct Flash2Mma {
  static constexpr const char* name = "flash2_mma_forward";
  using Keys = EveryBlock;
  using Rows = RowsOfHeads;
  using Element = T;
  static constexpr int d = d_, br = br_, bc = bc_, warps = 4, threads = 32 * warps;
  static constexpr bool overlapped = left_out != LeftOut::single_buffered, split_rows = left_out != LeftOut::split_k;
  static constexpr int warp_rows = split_rows ? br / warps : br, warp_keys = split_rows ? bc : bc / warps;
  static constexpr int m = warp_rows / 16, n = warp_keys / 8, smem_bytes = smem_bytes_of({d, br, bc});
  static constexpr bool drops = left_out == LeftOut::nothing;  // ladder steps need neither dropout nor bf16
  static constexpr bool packs = false;                         // rows are queries
  static constexpr bool extends = left_out == LeftOut::nothing && is_among(flash2_mma_extended_tiles, {d, br, bc});
  /// True if V_j is waited for before softmax, so that the compiler interleaves its exponentials with the products of P
  /// V: faster if O leaves enough registers (measured on an H100).
  static constexpr bool mixed = d <= 64 && left_out == LeftOut::nothing;
  using Tile = SharedTile<d, left_out == LeftOut::unswizzled ? Layout::plain : Layout::swizzled>;
  /// Row block of CTA `block`. Under a causal mask a head's last ones, which take longest, go first, so that the grid
  /// ends with short CTAs.
  __device__ static CtaBlocks place(const Arguments& a, unsigned block) { return row_block_of(a, block, br, a.causal); }
};

/// O = diag(l)^-1 O and L = m + log l, written for the first `count` rows; 0 and -inf for rows that saw nothing, NaN if
/// l is NaN.
template <int m, int n>
__device__ void divide_rows(float (&O)[m][n][4], const RowStatistics<m>& rows, float keep_factor, float* L,
                            std::int32_t count) {
  const LanePlace lane = lane_place();
  DEV_UNROLL
  for (int r = 0; r < 2 * m; ++r) {
    const int i = r / 2, h = r % 2, row = 8 * r + lane.row;
    const float l = quad_sum(rows.sum[i][h]), factor = l == 0 ? 0 : keep_factor / l;
    DEV_UNROLL
    for (int col = 0; col < 2 * n; ++col) O[i][col / 2][2 * h + col % 2] *= factor;
    if (lane.col == 0 && row < count) L[row] = l == 0 ? -dev::infinity() : rows.max[i][h] * log_of_2 + dev::log(l);
  }
}

/// Stores O_i and L_i, each warp its rows: O goes through shared memory, reusing the buffer of Q, so that whole sectors
/// are written.
template <class Shape, int m, int n>
__device__ void store_result(float (&O)[m][n][4], const RowStatistics<m>& rows, const Arguments& a,
                             typename Shape::Tile tile) {
  using T = typename Shape::Element;
  const int row = static_cast<int>(threadIdx.x / 32) * 16 * m, lane = static_cast<int>(threadIdx.x % 32);
  const CtaBlocks at = place_again<Shape>(a);
  using Rows = typename Shape::Rows;
  const RowPlace first = Rows::place(a, at, row);
  divide_rows(O, rows, a.keep_factor, static_cast<float*>(a.L) + first.statistic, at.i.size() - row);
  __syncwarp();  // the last lane has read Q
  store_rounded<T>(tile.from(row), O);
  __syncwarp();
  store_rows<16 * m, 32>(tile.from(row), static_cast<T*>(a.O) + first.query * Shape::d, at.i.size() - row, lane,
                         Rows::template query_stride<Shape::d>(a));
}

/// P = Z o P, for the CTA's rows from `row` on.
template <class Shape, class Rounded>
__device__ void drop_block(Rounded& P, const Arguments& a, std::int32_t row, std::int32_t key) {
  do {  // runs once: a separate loop, else the compiler interleaves it with softmax and runs out of registers
    const CtaBlocks here = place_again<Shape>(a);
    drop(P, a, here.head, here.i.begin + row, key);
  } while (!a.dropout);
}

/// Computes the row block of this CTA; `extended` with score steps, sinks, right windows and prefixes.
template <class Shape, bool dropout, bool extended>
__device__ __forceinline__ void flash2_mma_block(const Arguments& a, const ScoreScale& scale) {
  using T = typename Shape::Element;
  constexpr int d = Shape::d, m = Shape::m, n = Shape::n, bc = Shape::bc;
  constexpr bool mixed = Shape::mixed && !dropout && !extended;
  const CtaBlocks at = Shape::place(a, blockIdx.x);
  const Range live = blocks_touching(live_keys<extended>(a, at.i), bc), full = full_keys<extended>(a, at.i);
  const typename Shape::Keys keys(a, at, dev::shared_memory() + Shape::smem_bytes);
  const Range js = {keys.from(live.begin * bc), live.end * bc};
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int row = Shape::split_rows ? warp * Shape::warp_rows : 0;
  const int key = Shape::split_rows ? 0 : warp * Shape::warp_keys;

  float O[m][d / 8][4];
  RowStatistics<m> rows;
  clear(O);     // O = 0
  clear(rows);  // l = 0, m = -inf
  if constexpr (extended)
    begin_with_sinks<Shape>(rows, a, at, row, Shape::split_rows || warp == 0);  // m, l of the sink
  if constexpr (extended) Slopes<Shape>().load(a, at);
  KeyStream<Shape, extended, typename Shape::Rows> tiles{a, at};
  if (!js.empty()) tiles.start(js.begin);  // Q_i
  for (std::int32_t j = js.begin, next; j < js.end; j = next) {
    next = keys.from(j + bc);
    const bool whole = j >= full.begin && j + bc <= full.end;
    tiles.before_scores(j);  // K_j
    float S[m][n][4];
    clear(S);
    gemm_add<T, d>(S, Left{tiles.Q.from(row)}, RightTransposed{tiles.K.from(key)});  // S = Q_i K_j^T
    if constexpr (extended) {
      modify_block<Shape>(S, a, row, j + key);  // S = score steps of scale S
    } else if (scale.before) {
      multiply(S, a.scale);
    }
    if (!whole) hide<extended>(S, a, place_again<Shape>(a).i.begin + row, j + key);  // S = mask(S)
    if (mixed) tiles.before_output(j, next, js.end, whole);                          // V_j
    softmax_step(S, O, rows, scale.exponent);  // m', alpha, P = exp(scale S - m'), l, O = diag(alpha) O
    LeftRounded<T, m, n / 2> P(S);
    if (dropout) drop_block<Shape>(P, a, row, j + key);       // P = Z o P
    if (!mixed) tiles.before_output(j, next, js.end, whole);  // V_j
    gemm_add<T, 8 * n>(O, P, Right{tiles.V.from(key)});       // O = O + P V_j
  }
  if constexpr (Shape::split_rows) {
    store_result<Shape>(O, rows, a, tiles.Q);
  } else {
    float own_O[m / Shape::warps][d / 8][4];
    RowStatistics<m / Shape::warps> own_rows;
    merge_warps<Shape::warps>(O, rows, own_O, own_rows);
    store_result<Shape>(own_O, own_rows, a, tiles.Q);
  }
}

template <class Shape, bool dropout, bool extended>
__global__ void __launch_bounds__(128, 2) flash2_mma_kernel(const Arguments a, const ScoreScale scale) {
  flash2_mma_block<Shape, dropout, extended>(a, scale);
}

/// Launches a CTA of four warps for each row block of each query head.
template <class Shape>
void launch_shape(dev::Stream stream, const Arguments& a) {
  auto kernel = flash2_mma_kernel<Shape, false, false>;
  std::int64_t smem = Shape::smem_bytes + Shape::Keys::bytes(a);
  if constexpr (Shape::drops) {
    if (a.dropout) kernel = flash2_mma_kernel<Shape, true, false>;
  }
  if constexpr (Shape::extends) {
    if (a.extended()) kernel = flash2_mma_kernel<Shape, false, true>, smem += Slopes<Shape>::bytes;
  }
  dev::launch(stream, Shape::name, kernel, row_blocks(a), Shape::threads, smem, a, score_scale(a));
}

/// Launches the kernel of menu entry `n` if the arguments select its tile.
template <int d, LeftOut left_out, std::size_t n>
void launch_entry(dev::Stream stream, const Arguments& a) {
  constexpr MmaTile tile = menu_of<left_out>()[n];
  if constexpr (tile.head_dim == d) {
    if (a.br != tile.br || a.bc != tile.bc) return;
    if (a.element == Element::fp16) launch_shape<Flash2Mma<dev::fp16, d, tile.br, tile.bc, left_out>>(stream, a);
    if constexpr (left_out == LeftOut::nothing) {
      if (a.element == Element::bf16) launch_shape<Flash2Mma<dev::bf16, d, tile.br, tile.bc, left_out>>(stream, a);
    }
  }
}

/// Launches the kernel of a tile and element type of the menu.
template <int d, LeftOut left_out>
void launch_tile_of(dev::Stream stream, const Arguments& a) {
  const auto each = [&]<std::size_t... n>(std::index_sequence<n...>) {
    (launch_entry<d, left_out, n>(stream, a), ...);
  };
  each(std::make_index_sequence<menu_of<left_out>().size()>());
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
