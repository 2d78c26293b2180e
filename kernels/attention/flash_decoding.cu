// Flash-Decoding in plain fp32 arithmetic: the twins of sim/programs/flash_decoding/flash_decoding.cpp, verb by verb.
// Each block owns a block of query rows and a part of the keys; where there are several parts, a second kernel weighs
// their outputs by their L and adds them up. Sources: Dao, Haziza, Massa and Sizov 2023, "Flash-Decoding for
// long-context inference"; flash-attention 2.
#include "kernels/attention/launches.h"
#include "kernels/tile/dropout.h"
#include "kernels/tile/grid.h"
#include "kernels/tile/tile_gemm.h"
#include "kernels/tile/tile_softmax.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

/// Bytes of shared memory: Q (Br, d), K, V (Bc, d) as in HBM; O (Br, d), S (Br, Bc) and l, m, m', alpha (Br) in fp32.
template <class T>
std::int64_t split_bytes(const Arguments& a) {
  return tile_bytes<T>(a.br, a.head_dim) + 2 * tile_bytes<T>(a.bc, a.head_dim) + tile_bytes<float>(a.br, a.head_dim) +
         tile_bytes<float>(a.br, a.bc) + 4 * tile_bytes<float>(a.br, 1);
}

template <class T>
__global__ void __launch_bounds__(128) flash_decoding_split_kernel(const Arguments a) {
  const auto [head, i, s] = part_of(a, blockIdx.x, a.br);  // row block of this CTA, its part of the keys
  const Head<T> h = head_of<T>(a, head);
  const Range js = live_key_blocks(a, i, s);
  Shelf smem = shelf();
  Tile<T> Q = smem.tile<T>(a.br, a.head_dim), K = smem.tile<T>(a.bc, a.head_dim), V = smem.tile<T>(a.bc, a.head_dim);
  Tile<float> S = smem.tile<float>(a.br, a.bc);
  const Vec m_new = smem.vec(i.size()), alpha = smem.vec(i.size());

  if (!js.empty()) Q = load(Q, h.queries(a.Q, i));                        // Q_i
  const Tile<float> O = fill(smem.tile<float>(i.size(), a.head_dim), 0);  // O = 0
  const Vec l = fill(smem.vec(i.size()), 0);                              // l = 0
  const Vec m = fill(smem.vec(i.size()), -dev::infinity());               // m = -inf
  for (std::int32_t n = js.begin; n < js.end; ++n) {  // column blocks of the part that row block i sees
    const Range j = elements_of(a.seqlen_k, a.bc, n);
    K = load(K, h.keys(a.K, j));                  // K_j
    S = gemm_nt(S, Q, K);                         // S = Q_i K_j^T
    scale(S, a.scale);                            // S = scale S
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
  divide_rows(O, l);                                             // O = diag(l)^-1 O
  log_sum_exp(m, m, l);                                          // L = m + log l
  if (a.parts == 0) store(O, h.queries(a.O, i));                 // O_i
  if (a.parts == 0) store(m, h.statistics(a.L, i));              // L_i
  if (a.parts > 0) store(O, h.part(a.O_part, i, s));             // O_is = O
  if (a.parts > 0) store(m, h.part_statistics(a.L_part, i, s));  // L_is = L
}

/// O = diag(alpha l / l') O + diag(beta / l') O_is, 0 where l' = 0
__device__ inline void blend(Tile<float> O, Vec alpha, Vec l, Tile<float> O_part, Vec beta, Vec l_new) {
  each(O.rows, O.cols, [&](auto r, auto c) {
    O.set(r, c, divide(alpha[r] * l[r], l_new[r]) * O(r, c) + divide(beta[r], l_new[r]) * O_part(r, c));
  });
}

/// l' = alpha l + beta
__device__ inline void blend(Vec l_new, Vec alpha, Vec l, Vec beta) {
  each_row(l_new.rows, [&](auto r) { l_new[r] = alpha[r] * l[r] + beta[r]; });
}

/// Bytes of shared memory: O, O_is (Br, d) and L_is, l, m, l', m', alpha, beta (Br) in fp32.
std::int64_t combine_bytes(const Arguments& a) {
  return 2 * tile_bytes<float>(a.cta_rows, a.head_dim) + 7 * tile_bytes<float>(a.cta_rows, 1);
}

template <class T>
__global__ void __launch_bounds__(128) flash_decoding_combine_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.cta_rows);  // row block of this CTA
  const Head<T> h = head_of<T>(a, head);
  Shelf smem = shelf();
  Tile<float> O_part = smem.tile<float>(a.cta_rows, a.head_dim);
  Vec L_part = smem.vec(i.size());
  const Vec m_new = smem.vec(i.size()), alpha = smem.vec(i.size()), beta = smem.vec(i.size());
  const Vec l_new = smem.vec(i.size());

  const Tile<float> O = fill(smem.tile<float>(i.size(), a.head_dim), 0);  // O = 0
  const Vec l = fill(smem.vec(i.size()), 0);                              // l = 0
  const Vec m = fill(smem.vec(i.size()), -dev::infinity());               // m = -inf
  for (std::int32_t s = 0; s < a.parts; ++s) {                            // parts of the keys, empty ones too
    L_part = load(L_part, h.part_statistics(a.L_part, i, s));             // L_is
    max(m_new, m, L_part);                                                // m' = max(m, L_is)
    exp_sub_rows(alpha, m, m_new);                                        // alpha = exp(m - m')
    exp_sub_rows(beta, L_part, m_new);                                    // beta = exp(L_is - m')
    blend(l_new, alpha, l, beta);                                         // l' = alpha l + beta
    O_part = load(O_part, h.part(a.O_part, i, s));                        // O_is
    blend(O, alpha, l, O_part, beta, l_new);                              // O = alpha l / l' O + beta / l' O_is
    copy(l, l_new);                                                       // l = l'
    copy(m, m_new);                                                       // m = m'
  }
  log_sum_exp(m, m, l);            // L = m + log l
  store(O, h.queries(a.O, i));     // O_i
  store(m, h.statistics(a.L, i));  // L_i
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
    dev::launch(stream, "flash_decoding_combine", flash_decoding_combine_kernel<T>, ctas, 128, combine_bytes(a), a);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
