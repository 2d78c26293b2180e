// Standard attention, forward, in plain fp32 arithmetic: matches sim/programs/standard/standard.cpp verb by verb. S and
// P are written to HBM between S = Q K^T, the softmax and P V; a mask and dropout are separate kernels. Nothing is
// skipped. Source: Dao et al. 2022, Algorithm 0.
// Inaccuracies: the softmax needs 128 bytes of shared memory in addition to the row; it computes exp(S - m) twice, so
// that P is rounded once.
#include "kernels/attention/launches.h"
#include "kernels/tile/dropout.h"
#include "kernels/tile/grid.h"
#include "kernels/tile/row.h"
#include "kernels/tile/tile_gemm.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

__device__ void* scores_of(const Arguments& a) { return a.S_masked != nullptr ? a.S_masked : a.S; }

/// Bytes of shared memory: slices of Q (Br, 32) and K (Bc, 32) as in HBM; S (Br, Bc) in fp32.
template <class T>
std::int64_t qk_gemm_bytes(const Arguments& a) {
  return tile_bytes<T>(a.br, a.slice) + tile_bytes<T>(a.bc, a.slice) + tile_bytes<float>(a.br, a.bc);
}

template <class T>
__global__ void __launch_bounds__(256) qk_gemm_kernel(const Arguments a) {
  const auto [head, i, j] = tile_of(a, blockIdx.x);  // output tile of this CTA
  const Head<T> h = head_of<T>(a, head);
  SmemAllocator smem = smem_allocator();
  Tile<T> Q = smem.tile<T>(a.br, a.slice), K = smem.tile<T>(a.bc, a.slice);
  const Tile<float> S = fill(smem.tile<float>(i.size(), j.size()), 0);  // S = 0
  for (std::int32_t n = 0; n < blocks_of(a.head_dim, a.slice); ++n) {   // slices of d
    const Range c = elements_of(a.head_dim, a.slice, n);
    Q = load(Q, h.queries(a.Q, i, c));  // Q_ic
    K = load(K, h.keys(a.K, j, c));     // K_jc
    gemm_nt_add(S, Q, K);               // S = S + Q_ic K_jc^T
  }
  scale(S, a.scale);              // S = scale S
  store(S, h.scores(a.S, i, j));  // S_ij
}

/// Bytes of shared memory: S or P (Br, Bc) as in HBM.
template <class T>
std::int64_t tile_of_scores_bytes(const Arguments& a) {
  return tile_bytes<T>(a.br, a.bc);
}

template <class T>
__global__ void __launch_bounds__(256) mask_kernel(const Arguments a) {
  const auto [head, i, j] = tile_of(a, blockIdx.x);
  const Head<T> h = head_of<T>(a, head);
  const Tile<T> S = load(smem_allocator().tile<T>(a.br, a.bc), h.scores(a.S, i, j));  // S_ij
  mask(S, a, i, j);                                                                   // S = mask(S)
  store(S, h.scores(a.S_masked, i, j));                                               // S_masked_ij
}

/// Bytes of shared memory: a row of S (N), or a piece of it (Bc), as in HBM, and a number per warp.
template <class T>
std::int64_t softmax_bytes(const Arguments& a) {
  return tile_bytes<T>(1, a.row_in_smem ? a.seqlen_k : a.bc) + tile_bytes<float>(most_warps, 1);
}

template <class T>
__global__ void __launch_bounds__(256) softmax_row_in_smem_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, 1);  // one row
  const Head<T> h = head_of<T>(a, head);
  SmemAllocator smem = smem_allocator();
  const PerWarp found = per_warp(smem);
  const Tile<T> S = load(smem.tile<T>(1, a.seqlen_k), h.scores(scores_of(a), i, keys));  // S_i
  const float m = row_max(S, -dev::infinity(), found);                                   // m = rowmax(S)
  const float l = row_sum_exp(S, m, found);                                              // l = rowsum(exp(S - m))
  const Tile<T> P = softmax(S, m, l);                                                    // P = exp(S - m) / l
  store(P, h.scores(a.P, i, keys));                                                      // P_i
}

template <class T>
__global__ void __launch_bounds__(256) softmax_in_two_passes_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, 1);  // one row, too long for SMEM
  const Head<T> h = head_of<T>(a, head);
  SmemAllocator smem = smem_allocator();
  const PerWarp found = per_warp(smem);
  Tile<T> S = smem.tile<T>(1, a.bc);
  float l = 0, m = -dev::infinity();                                // l = 0, m = -inf
  for (std::int32_t n = 0; n < blocks_of(a.seqlen_k, a.bc); ++n) {  // first pass: statistics
    const Range j = elements_of(a.seqlen_k, a.bc, n);
    S = load(S, h.scores(scores_of(a), i, j));                        // S_ij
    const float m_new = row_max(S, m, found);                         // m' = max(m, rowmax(S))
    l = exp_difference(m, m_new) * l + row_sum_exp(S, m_new, found);  // l = exp(m - m') l + rowsum(exp(S - m'))
    m = m_new;                                                        // m = m'
  }
  for (std::int32_t n = 0; n < blocks_of(a.seqlen_k, a.bc); ++n) {  // second pass: probabilities
    const Range j = elements_of(a.seqlen_k, a.bc, n);
    S = load(S, h.scores(scores_of(a), i, j));  // S_ij
    const Tile<T> P = softmax(S, m, l);         // P = exp(S - m) / l
    store(P, h.scores(a.P, i, j));              // P_ij
  }
}

/// Bytes of shared memory: P (Br, Bc) as in HBM and Z (Br, Bc) in bytes.
template <class T>
std::int64_t dropout_bytes(const Arguments& a) {
  return tile_bytes<T>(a.br, a.bc) + tile_bytes<std::uint8_t>(a.br, a.bc);
}

template <class T>
__global__ void __launch_bounds__(256) dropout_kernel(const Arguments a) {
  const auto [head, i, j] = tile_of(a, blockIdx.x);
  const Head<T> h = head_of<T>(a, head);
  SmemAllocator smem = smem_allocator();
  const Tile<T> P = load(smem.tile<T>(a.br, a.bc), h.scores(a.P, i, j));  // P_ij
  const Tile<std::uint8_t> Z = smem.tile<std::uint8_t>(i.size(), j.size());
  keep_mask(Z, a, head, i, j);                              // Z
  dropout(P, Z, a);                                         // P = Z o P / (1 - p)
  store(Z, h.template scores<std::uint8_t>(a.mask, i, j));  // Z_ij
  store(P, h.scores(a.P_dropped, i, j));                    // P_dropped_ij
}

/// Bytes of shared memory: P (Br, 32) and V (32, d) as in HBM; O (Br, d) in fp32.
template <class T>
std::int64_t pv_gemm_bytes(const Arguments& a) {
  return tile_bytes<T>(a.br, a.slice) + tile_bytes<T>(a.slice, a.head_dim) + tile_bytes<float>(a.br, a.head_dim);
}

template <class T>
__global__ void __launch_bounds__(256) pv_gemm_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.br);
  const Head<T> h = head_of<T>(a, head);
  void* const weights = a.dropout ? a.P_dropped : a.P;
  SmemAllocator smem = smem_allocator();
  Tile<T> P = smem.tile<T>(a.br, a.slice), V = smem.tile<T>(a.slice, a.head_dim);
  const Tile<float> O = fill(smem.tile<float>(i.size(), a.head_dim), 0);  // O = 0
  for (std::int32_t n = 0; n < blocks_of(a.seqlen_k, a.slice); ++n) {     // slices of N
    const Range j = elements_of(a.seqlen_k, a.slice, n);
    P = load(P, h.scores(weights, i, j));  // P_ij
    V = load(V, h.keys(a.V, j));           // V_j
    gemm_nn_add(O, P, V);                  // O = O + P_ij V_j
  }
  store(O, h.queries(a.O, i));  // O_i
}

}  // namespace

void qk_gemm(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "qk_gemm", qk_gemm_kernel<T>, tiles(a), 256, qk_gemm_bytes<T>(a), a);
  });
}

void mask(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "mask", mask_kernel<T>, tiles(a), 256, tile_of_scores_bytes<T>(a), a);
  });
}

void softmax(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    const auto kernel = a.row_in_smem ? softmax_row_in_smem_kernel<T> : softmax_in_two_passes_kernel<T>;
    dev::launch(stream, "softmax", kernel, query_rows(a), 256, softmax_bytes<T>(a), a);
  });
}

void dropout(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "dropout", dropout_kernel<T>, tiles(a), 256, dropout_bytes<T>(a), a);
  });
}

void pv_gemm(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "pv_gemm", pv_gemm_kernel<T>, row_blocks(a), 256, pv_gemm_bytes<T>(a), a);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
