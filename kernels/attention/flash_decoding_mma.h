// Flash-Decoding on tensor cores: the first kernel of sim/programs/flash_decoding/flash_decoding.cpp for fp16 and bf16.
// Four warps own a block of query rows and a part of the keys. With 64 rows each warp has 16; with few queries, in 32
// or 16 rows, two or four warps share the rows, split the keys of each tile, and add up their outputs at the end.
// Outputs of parts are stored in fp32. The second kernel, in flash_decoding.cu, has no products.
// Sources: Dao, Haziza, Massa and Sizov 2023, "Flash-Decoding for long-context inference"; flash-attention 2.
// Inaccuracies: those of flash2_mma.h.
#pragma once
#include <cstring>
#include <utility>

#include "kernels/attention/instances.h"
#include "kernels/attention/key_stream.h"
#include "kernels/attention/support.h"
#include "kernels/tile/four.h"
#include "kernels/tile/merge_warps.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Compile-time configuration. Shared memory: Q (Br, d), K and V (Bc, d). A warp computes S (16, 8 n).
template <class T, int d_, int br_, int bc_>
struct FlashDecodingMma {
  using Element = T;
  static constexpr int d = d_, br = br_, bc = bc_, warps = 4, threads = 32 * warps;
  static constexpr bool overlapped = true;
  static constexpr int row_warps = br / 16, key_warps = warps / row_warps;
  static constexpr int warp_keys = bc / key_warps, n = warp_keys / 8, smem_bytes = smem_bytes_of({d, br, bc});
  static_assert(row_warps * key_warps == warps && warp_keys % 16 == 0);
  using Tile = SharedTile<d>;
  using Sums = MergeSpace<key_warps, 16, d>;  ///< sums of 16 rows, reusing the buffer of Q, K and V
  static_assert(row_warps * Sums::floats * 4 <= smem_bytes);
  static constexpr bool packs = true;
  static constexpr bool extends = is_among(flash_decoding_mma_extended_tiles, {d, br, bc});
  __device__ static CtaBlocks place(const Arguments& a, unsigned block) {
    const CtaPart part = part_of(a, block, br);
    return {part.head, part.i, all_keys(a)};
  }
};

/// O = diag(l)^-1 O, 0 for rows that saw nothing, from the sums of all warps; stored to O_is or O_i by all threads.
template <class Shape>
__device__ void store_outputs(const Arguments& a, const CtaPart& part) {
  constexpr int fours = Shape::d / 4;
  for (int n = static_cast<int>(threadIdx.x); n < part.i.size() * fours; n += Shape::threads) {
    const int row = n / fours, col = n % fours * 4;
    const typename Shape::Sums sums(row / 16);
    const float l = sums.l[row % 16], factor = l == 0 ? 0 : 1 / l;
    const dev::Chunk chunk = dev::load_chunk(sums.O + row % 16 * Shape::Sums::pitch + col);
    float x[4];
    std::memcpy(x, &chunk, sizeof x);
    for (float& element : x) element *= factor;
    using T = typename Shape::Element;
    const std::int64_t place = part.head * a.seqlen_q + part.i.begin + row;
    if (a.parts > 0) {
      store_four(static_cast<float*>(a.O_part) + (place * a.parts + part.s) * a.head_dim + col, x);
    } else {
      store_four(static_cast<T*>(a.O) + place * a.head_dim + col, x);
    }
  }
}

/// L = m + log l, -inf for rows that saw nothing and NaN if l is NaN; stored to L_is or L_i by one thread per row.
template <class Shape>
__device__ void store_statistics(const Arguments& a, const CtaPart& part) {
  const int row = static_cast<int>(threadIdx.x);
  if (row >= part.i.size()) return;
  const typename Shape::Sums sums(row / 16);
  const float l = sums.l[row % 16], m = max_of_warps<Shape::key_warps, 16>(sums.max, row % 16) * log_of_2;
  const std::int64_t place = part.head * a.seqlen_q + part.i.begin + row;
  float* L = a.parts > 0 ? static_cast<float*>(a.L_part) + place * a.parts + part.s : static_cast<float*>(a.L) + place;
  *L = l == 0 ? -dev::infinity() : m + dev::log(l);
}

/// Locates the rows of a CTA whose K and V are in one piece.
struct InOnePiece {
  __device__ RowsOfHeads rows(const Arguments& a, const CtaBlocks& at, Range) const { return {a, at}; }
};

/// Computes a row block and a part of the keys, which `layout` locates.
template <class Shape, bool extended, class Layout>
__device__ __forceinline__ void flash_decoding_block(const Arguments& a, const ScoreScale& scale,
                                                     const Layout& layout) {
  using T = typename Shape::Element;
  constexpr int d = Shape::d, n = Shape::n, bc = Shape::bc;
  const CtaPart part = part_of(a, blockIdx.x, Shape::br);
  const CtaBlocks at = Shape::place(a, blockIdx.x);
  const Range live = live_key_blocks<extended>(a, at.i, part.s), full = full_keys<extended>(a, at.i);
  const Range js = {live.begin * bc, live.end * bc};
  const int warp = static_cast<int>(threadIdx.x / 32), row_warp = warp % Shape::row_warps;
  const int row = 16 * row_warp, key_warp = warp / Shape::row_warps, key = key_warp * Shape::warp_keys;

  float O[1][d / 8][4];
  RowStatistics<1> rows;
  clear(O);                                                                          // O = 0
  clear(rows);                                                                       // l = 0, m = -inf
  if constexpr (extended) begin_with_sinks<Shape>(rows, a, at, row, key_warp == 0);  // m, l of the sinks
  if constexpr (extended) Slopes<Shape>().load(a, at);
  using Rows = decltype(layout.rows(a, at, js));
  KeyStream<Shape, extended, Rows> tiles{.a = a, .at = at, .place = layout.rows(a, at, js)};
  if (!js.empty()) tiles.start(js.begin);  // Q_i
  for (std::int32_t j = js.begin; j < js.end; j += bc) {
    const bool whole = j >= full.begin && j + bc <= full.end;
    tiles.before_scores(j);  // K_j
    float S[1][n][4];
    clear(S);
    gemm_add<T, d>(S, Left{tiles.Q.from(row)}, RightTransposed{tiles.K.from(key)});  // S = Q_i K_j^T
    if constexpr (extended) {
      modify_block<Shape>(S, a, row, j + key);  // S = score steps of scale S
    } else if (scale.before) {
      multiply(S, a.scale);
    }
    if (!whole) hide<extended>(S, a, place_again<Shape>(a).i.begin + row, j + key);  // S = mask(S)
    softmax_step(S, O, rows, scale.exponent);  // m', alpha, P = exp(scale S - m'), l, O = diag(alpha) O
    const LeftRounded<T, 1, n / 2> P(S);
    tiles.before_output(j, j + bc, js.end, whole);       // V_j
    gemm_add<T, 8 * n>(O, P, Right{tiles.V.from(key)});  // O = O + P V_j
  }
  add_up(O, rows, typename Shape::Sums(row_warp), key_warp);
  store_outputs<Shape>(a, part);     // O_is, or O_i
  store_statistics<Shape>(a, part);  // L_is, or L_i
}

template <class Shape, bool extended>
__global__ void __launch_bounds__(128, 2) flash_decoding_mma_kernel(const Arguments a, const ScoreScale scale) {
  flash_decoding_block<Shape, extended>(a, scale, InOnePiece{});
}

template <class Shape>
void launch_decoding(dev::Stream stream, const Arguments& a) {
  auto kernel = flash_decoding_mma_kernel<Shape, false>;
  std::int64_t smem = Shape::smem_bytes;
  if constexpr (Shape::extends) {
    if (a.extended()) kernel = flash_decoding_mma_kernel<Shape, true>, smem += Slopes<Shape>::bytes;
  }
  dev::launch(stream, a.parts > 0 ? "flash_decoding_split" : "flash_decoding", kernel, row_blocks_in_parts(a),
              Shape::threads, smem, a, score_scale(a));
}

/// Calls f with the configuration of menu entry `n` if the arguments select its tile.
template <int d, std::size_t n, class F>
void with_decoding_entry(const Arguments& a, F f) {
  constexpr MmaTile tile = flash_decoding_mma_tiles[n];
  if constexpr (tile.head_dim == d) {
    if (a.br != tile.br || a.bc != tile.bc) return;
    if (a.element == Element::fp16) return f(FlashDecodingMma<dev::fp16, d, tile.br, tile.bc>());
    f(FlashDecodingMma<dev::bf16, d, tile.br, tile.bc>());
  }
}

/// Calls f with the configuration that the arguments select.
template <int d, class F>
void with_decoding_shape(const Arguments& a, F f) {
  const auto each = [&]<std::size_t... n>(std::index_sequence<n...>) { (with_decoding_entry<d, n>(a, f), ...); };
  each(std::make_index_sequence<flash_decoding_mma_tiles.size()>());
}

template <int d>
void FlashDecodingMmaOf<d>::launch(dev::Stream stream, const Arguments& a) {
  with_decoding_shape<d>(a, [&](auto shape) { launch_decoding<decltype(shape)>(stream, a); });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
