// Flash-Decoding in plain fp32 arithmetic: matches sim/programs/flash_decoding/flash_decoding.cpp verb by verb. Each
// CTA owns a block of query rows and a part of the keys; if there are several parts, a second kernel weighs their
// outputs by their L and adds them up. Sources: Dao, Haziza, Massa and Sizov 2023, "Flash-Decoding for long-context
// inference"; flash-attention 2.
#include <cstring>

#include "kernels/attention/launches.h"
#include "kernels/tile/dropout.h"
#include "kernels/tile/four.h"
#include "kernels/tile/grid.h"
#include "kernels/tile/sinks.h"
#include "kernels/tile/tile_gemm.h"
#include "sim/base/check.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

/// Bytes of shared memory: Q (Br, d), K, V (Bc, d) as in HBM; O (Br, d), S (Br, Bc) and l, m, m', alpha (Br) in fp32;
/// with ALiBi slopes, without parts sinks.
template <class T>
std::int64_t split_bytes(const Arguments& a) {
  return tile_bytes<T>(a.br, a.head_dim) + 2 * tile_bytes<T>(a.bc, a.head_dim) + tile_bytes<float>(a.br, a.head_dim) +
         tile_bytes<float>(a.br, a.bc) + 4 * tile_bytes<float>(a.br, 1) + slopes_bytes(a) + sinks_bytes(a);
}

template <class T>
__global__ void __launch_bounds__(128) flash_decoding_split_kernel(const Arguments a) {
  const auto [head, i, s] = part_of(a, blockIdx.x, a.br);  // row block of this CTA, its part of the keys
  const Head<T> h = head_of<T>(a, head);
  const Range js = live_key_blocks(a, i, s);
  SmemAllocator smem = smem_allocator();
  Tile<T> Q = smem.tile<T>(a.br, a.head_dim), K = smem.tile<T>(a.bc, a.head_dim), V = smem.tile<T>(a.bc, a.head_dim);
  Tile<float> S = smem.tile<float>(a.br, a.bc);
  const Vec m_new = smem.vec(i.size()), alpha = smem.vec(i.size());
  const std::int32_t heads = a.heads_in_rows > 1 ? a.br : 1;
  Vec slopes = {};
  if (a.alibi) slopes = smem.vec(heads);

  if (a.alibi) slopes = load(slopes, slopes_of(a, head, i));                              // slopes of its heads
  if (!js.empty()) Q = load(Q, h.queries(a.Q, i));                                        // Q_i
  const Tile<float> O = fill(smem.tile<float>(i.size(), a.head_dim), 0);                  // O = 0
  const Vec l = fill(smem.vec(i.size()), 0);                                              // l = 0
  const Vec m = fill(smem.vec(i.size()), -dev::infinity());                               // m = -inf
  if (a.adds_sinks) begin_with_sinks(m, l, load(smem.vec(heads), sinks_of(a, head, i)));  // m, l of the sinks
  for (std::int32_t n = js.begin; n < js.end; ++n) {  // column blocks of the part that row block i sees
    const Range j = elements_of(a.seqlen_k, a.bc, n);
    K = load(K, h.keys(a.K, j));                   // K_j
    S = gemm_nt(S, Q, K);                          // S = Q_i K_j^T
    scale(S, a.scale);                             // S = scale S
    if (a.modified()) modify(S, a, slopes, i, j);  // S = score steps of S
    if (needs_mask(a, i, j)) mask(S, a, i, j);     // S = mask(S)
    row_max(m_new, S, m);                          // m' = max(m, rowmax(S))
    exp_sub_rows(alpha, m, m_new);                 // alpha = exp(m - m')
    const Tile<float> P = exp_sub(S, m_new);       // P = exp(S - m')
    add_row_sum(l, alpha, P);                      // l = alpha l + rowsum(P)
    copy(m, m_new);                                // m = m'
    if (a.dropout) dropout(P, P, a, head, i, j);   // P = Z o P
    scale_rows(O, alpha);                          // O = diag(alpha) O
    V = load(V, h.keys(a.V, j));                   // V_j
    gemm_nn_add(O, P, V);                          // O = O + P V_j
  }
  divide_rows(O, l);                                             // O = diag(l)^-1 O
  log_sum_exp(m, m, l);                                          // L = m + log l
  if (a.parts == 0) store(O, h.queries(a.O, i));                 // O_i
  if (a.parts == 0) store(m, h.statistics(a.L, i));              // L_i
  if (a.parts > 0) store(O, h.part(a.O_part, i, s));             // O_is = O
  if (a.parts > 0) store(m, h.part_statistics(a.L_part, i, s));  // L_is = L
}

/// Combines one number per lane across a warp.
template <class F>
__device__ float reduce_warp(float value, F combine) {
  for (std::int32_t lanes = 16; lanes > 0; lanes /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, lanes));
  }
  return value;
}

/// Replaces L_is of a row, one column per part, by exp(L_is - m) / l = exp(L_is - L_i), with one warp. Returns L_i,
/// which contains the sink. Consecutive lanes take consecutive columns, so that they hit different banks.
__device__ inline float weigh(Tile<float> W, std::int32_t row, std::int32_t parts, Rows<float> L_part, float sink) {
  const std::int32_t lane = this_thread() % 32;
  float m = sink, l = 0;
  for (std::int32_t s = lane; s < parts; s += 32) {
    const float L = L_part(row, s);
    W.set(row, s, L);
    m = fmaxf(m, L);
  }
  m = reduce_warp(m, [](float a, float b) { return fmaxf(a, b); });  // m = max(sink, max_s L_is)
  for (std::int32_t s = lane; s < parts; s += 32) {
    const float w = exp_difference(W(row, s), m);  // W = exp(L_part - m)
    W.set(row, s, w);
    l += w;
  }
  l = reduce_warp(l, [](float a, float b) { return a + b; });  // l = rowsum(W)
  l += exp_difference(sink, m);                                // l = l + exp(sink - m)
  for (std::int32_t s = lane; s < parts; s += 32) W.set(row, s, divide(W(row, s), l));
  return l == 0 ? -dev::infinity() : m + dev::log(l);  // L = m + log l
}

/// Adds four neighbouring elements of sum_s W_s O_is in a row. Loads of different parts do not wait for each other.
__device__ inline void add_parts(float (&sum)[4], const Arguments& a, const float* O_part, const float* W) {
  constexpr std::int32_t at_once = 8;
  for (std::int32_t first = 0; first < a.parts; first += at_once) {
    dev::Chunk O[at_once] = {};
    for (std::int32_t n = 0; n < at_once; ++n) {
      if (first + n < a.parts) O[n] = dev::load_chunk(O_part + static_cast<std::int64_t>(first + n) * a.head_dim);
    }
    for (std::int32_t n = 0; n < at_once; ++n) {
      if (first + n >= a.parts) break;
      float x[4];
      std::memcpy(x, &O[n], sizeof x);
      for (int c = 0; c < 4; ++c) sum[c] += W[first + n] * x[c];  // O = O + beta / l O_is
    }
  }
}

/// Columns of the tile of weights: odd, so that the rows of a warp's elements are in different banks.
__host__ __device__ constexpr std::int32_t weight_columns(std::int32_t parts) { return parts | 1; }

/// Bytes of shared memory: the weights of all parts (Br, Ns) and sinks in fp32.
std::int64_t combine_bytes(const Arguments& a) {
  return tile_bytes<float>(a.cta_rows, weight_columns(a.parts)) + (a.adds_sinks ? numbers_bytes(a, a.cta_rows) : 0);
}

template <class T>
__global__ void __launch_bounds__(128) flash_decoding_combine_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.cta_rows);  // row block of this CTA
  const Head<T> h = head_of<T>(a, head);
  SmemAllocator smem = smem_allocator();
  const Tile<float> W = smem.tile<float>(a.cta_rows, weight_columns(a.parts));
  Vec sinks = {};
  if (a.adds_sinks) sinks = load(smem.vec(i.size()), sinks_of(a, head, i));  // sinks of its heads
  const Rows<float> L = h.statistics(a.L, i), L_part = rows_of<float>(a.L_part, head, a.seqlen_q, a.parts, i);
  for (std::int32_t row = this_thread() / 32; row < i.size(); row += threads() / 32) {
    const float sink = a.adds_sinks ? sinks[sinks.rows > 1 ? row : 0] : -dev::infinity();
    const float sum = weigh(W, row, a.parts, L_part, sink);  // L_part, m, W, l
    if (this_thread() % 32 == 0) L(row, 0) = sum;            // L_i
  }
  __syncthreads();
  const Rows<T> O = h.queries(a.O, i);
  const Rows<float> O_part = h.part(a.O_part, i, 0);
  each(i.size(), a.head_dim / 4, [&](auto row, auto four) {
    float sum[4] = {};                                            // O = 0
    add_parts(sum, a, &O_part(row, 4 * four), &W[row * W.cols]);  // O_is of all parts
    store_four(&O(row, 4 * four), sum);                           // O_i
  });
}

void launch_split(dev::Stream stream, const char* name, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, name, flash_decoding_split_kernel<T>, row_blocks_in_parts(a), 128, split_bytes<T>(a), a);
  });
}

}  // namespace

void flash_decoding(dev::Stream stream, const Arguments& a) { launch_split(stream, "flash_decoding", a); }

void flash_decoding_split(dev::Stream stream, const Arguments& a) { launch_split(stream, "flash_decoding_split", a); }

void flash_decoding_combine(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    const std::int64_t ctas = query_heads(a) * blocks_of(a.seqlen_q, a.cta_rows);
    sim::require(combine_bytes(a) <= a.smem, "splits: the L of ", a.parts, " parts take ", combine_bytes(a),
                 " bytes of shared memory, of which a CTA may take ", a.smem, ": use fewer");
    dev::launch(stream, "flash_decoding_combine", flash_decoding_combine_kernel<T>, ctas, 128, combine_bytes(a), a);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
