// FlashAttention-2, forward, in plain fp32 arithmetic: matches sim/programs/flash2/flash2.cpp verb by verb. Each CTA
// owns one block of query rows; O, m and l stay on chip (here in shared memory) while K and V stream past. Under a
// pattern a CTA reads its row of the pattern and visits only visible blocks; in a ragged batch it first looks up its
// entry. Source: Dao 2023, Algorithm 1; for the pattern Dao et al. 2022, Algorithm 5.
#include "kernels/attention/launches.h"
#include "kernels/tile/dropout.h"
#include "kernels/tile/pattern.h"
#include "kernels/tile/ragged.h"
#include "kernels/tile/sinks.h"
#include "kernels/tile/tile_gemm.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

/// Bytes of shared memory: Q (Br, d), K, V (Bc, d) as in HBM; O (Br, d), S (Br, Bc) and l, m, m', alpha (Br) in fp32;
/// with ALiBi a slope, with sinks one; under a pattern M_i (Tc) in bytes.
template <class T, bool pattern>
std::int64_t smem_bytes(const Arguments& a) {
  return tile_bytes<T>(a.br, a.head_dim) + 2 * tile_bytes<T>(a.bc, a.head_dim) + tile_bytes<float>(a.br, a.head_dim) +
         tile_bytes<float>(a.br, a.bc) + 4 * tile_bytes<float>(a.br, 1) + slopes_bytes(a) + sinks_bytes(a) +
         (pattern ? tile_bytes<std::uint8_t>(1, blocks_of(a.seqlen_k, a.bc)) : 0);
}

/// Computes row block i of a head. `h` gives its blocks in HBM; `head` is its index over the whole batch.
template <class T, bool pattern, class OfHead>
__device__ __forceinline__ void flash2_forward_block(const Arguments& a, SmemAllocator smem, const OfHead& h,
                                                     std::int64_t head, Range i) {
  const Range js = live_key_blocks(a, i);
  Tile<T> Q = smem.tile<T>(a.br, a.head_dim), K = smem.tile<T>(a.bc, a.head_dim), V = smem.tile<T>(a.bc, a.head_dim);
  Tile<float> S = smem.tile<float>(a.br, a.bc);
  const Vec m_new = smem.vec(i.size()), alpha = smem.vec(i.size());
  Tile<std::uint8_t> M;
  Vec slope = {};
  if (pattern) M = smem.tile<std::uint8_t>(1, blocks_of(a.seqlen_k, a.bc));
  if (a.alibi) slope = smem.vec(1);

  if (pattern) M = load(M, pattern_row(a, head, i));                                  // M_i
  if (a.alibi) slope = load(slope, slopes_of(a, head, i));                            // its head's slope
  if (pattern ? any_visible(M, js) : !js.empty()) Q = load(Q, h.queries(a.Q, i));     // Q_i
  const Tile<float> O = fill(smem.tile<float>(i.size(), a.head_dim), 0);              // O = 0
  const Vec l = fill(smem.vec(i.size()), 0);                                          // l = 0
  const Vec m = fill(smem.vec(i.size()), -dev::infinity());                           // m = -inf
  if (a.adds_sinks) begin_with_sinks(m, l, load(smem.vec(1), sinks_of(a, head, i)));  // m, l of its head's sink
  for (std::int32_t n = js.begin; n < js.end; ++n) {  // column blocks that row block i sees
    if (pattern && M[n] == 0) continue;
    const Range j = elements_of(a.seqlen_k, a.bc, n);
    K = load(K, h.keys(a.K, j));                  // K_j
    S = gemm_nt(S, Q, K);                         // S = Q_i K_j^T
    scale(S, a.scale);                            // S = scale S
    if (a.modified()) modify(S, a, slope, i, j);  // S = score steps of S
    if (needs_mask(a, i, j)) mask(S, a, i, j);    // S = mask(S)
    row_max(m_new, S, m);                         // m' = max(m, rowmax(S))
    exp_sub_rows(alpha, m, m_new);                // alpha = exp(m - m')
    const Tile<float> P = exp_sub(S, m_new);      // P = exp(S - m')
    add_row_sum(l, alpha, P);                     // l = alpha l + rowsum(P)
    copy(m, m_new);                               // m = m'
    if (a.dropout) dropout(P, P, a, head, i, j);  // P = Z o P
    scale_rows(O, alpha);                         // O = diag(alpha) O
    V = load(V, h.keys(a.V, j));                  // V_j
    gemm_nn_add(O, P, V);                         // O = O + P V_j
  }
  divide_rows(O, l);               // O = diag(l)^-1 O
  log_sum_exp(m, m, l);            // L = m + log l
  store(O, h.queries(a.O, i));     // O_i
  store(m, h.statistics(a.L, i));  // L_i
}

template <class T, bool pattern>
__global__ void __launch_bounds__(128) flash2_forward_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.br);  // row block of this CTA
  flash2_forward_block<T, pattern>(a, smem_allocator(), head_of<T>(a, head), head, i);
}

template <class T>
__global__ void __launch_bounds__(128)
    flash2_forward_ragged_kernel(const Arguments batch, const __grid_constant__ RaggedGrid grid) {
  SmemAllocator smem = smem_allocator();
  const RaggedRowBlock<T> at(batch, grid, smem);  // its sequence, row block of this CTA
  flash2_forward_block<T, false>(at.a, smem, at.head, at.number, at.i);
}

template <bool pattern>
void launch_forward(dev::Stream stream, const char* name, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, name, flash2_forward_kernel<T, pattern>, row_blocks(a), 128, smem_bytes<T, pattern>(a), a);
  });
}

}  // namespace

void flash2_forward(dev::Stream stream, const Arguments& a) { launch_forward<false>(stream, "flash2_forward", a); }

void flash2_block_sparse_forward(dev::Stream stream, const Arguments& a) {
  launch_forward<true>(stream, "flash2_block_sparse_forward", a);
}

void flash2_forward_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  const RaggedGrid grid = ragged_row_blocks(batch, a);
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "flash2_forward", flash2_forward_ragged_kernel<T>, grid.ctas, 128,
                sequence_bytes + smem_bytes<T, false>(a), a, grid);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
