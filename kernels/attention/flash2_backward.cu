// FlashAttention-2, backward, in plain fp32 arithmetic: the twin of sim/programs/flash2/flash2_backward.cpp, verb by
// verb. One kernel computes D and clears dQ_acc, one takes a block of keys per CTA and streams Q and dO past its dK and
// dV, one rounds dQ_acc to dQ. Under a pattern a CTA of the second reads its column of it for each query head, and
// takes the row blocks that see it.
// Source: Dao 2023, Algorithm 2 (where dK = dS^T Q, and D is of all rows); for the pattern Dao et al. 2022,
// Algorithm 5. Inaccuracy: CTAs add to dQ_acc in any order, so that dQ varies by a rounding from run to run.
#include "kernels/attention/launches.h"
#include "kernels/tile/accumulator.h"
#include "kernels/tile/dropout.h"
#include "kernels/tile/pattern.h"
#include "kernels/tile/tile_gemm.h"
#include "kernels/tile/tile_softmax.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

/// Bytes of shared memory: O, dO (Br, d) as in HBM and D (Br) in fp32.
template <class T>
std::int64_t prepare_bytes(const Arguments& a) {
  return 2 * tile_bytes<T>(a.br, a.head_dim) + tile_bytes<float>(a.br, 1);
}

template <class T>
__global__ void __launch_bounds__(128) flash2_backward_prepare_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.br);  // row block of this CTA
  const Head<T> h = head_of<T>(a, head);
  Shelf smem = shelf();
  const Tile<T> O = load(smem.tile<T>(a.br, a.head_dim), h.queries(a.O, i));    // O_i
  const Tile<T> dO = load(smem.tile<T>(a.br, a.head_dim), h.queries(a.dO, i));  // dO_i
  const Vec D = smem.vec(i.size());
  row_dot(D, dO, O);                   // D_i = rowsum(dO_i o O_i)
  store(D, h.statistics(a.D, i));      // D_i
  initialise(h.sums(a.dQ_acc, i), 0);  // dQ_acc_i = 0
}

/// Bytes of shared memory: Q, dO (Br, d), K, V (Bc, d) as in HBM; P, dP (Br, Bc) and L, D (Br) in fp32; under a
/// pattern M_j (Tr) in bytes. dK and dV (Bc, d) are in each thread's own memory.
template <class T, bool pattern>
std::int64_t backward_bytes(const Arguments& a) {
  return 2 * tile_bytes<T>(a.br, a.head_dim) + 2 * tile_bytes<T>(a.bc, a.head_dim) + 2 * tile_bytes<float>(a.br, a.bc) +
         2 * tile_bytes<float>(a.br, 1) + (pattern ? tile_bytes<std::uint8_t>(blocks_of(a.seqlen_q, a.br), 1) : 0);
}

template <class T, bool pattern>
__global__ void __launch_bounds__(256) flash2_backward_kernel(const Arguments a) {
  const auto [kv_head, queries, j] = column_block_of(a, blockIdx.x);  // column block of this CTA
  const Range is = live_query_blocks(a, j);
  Shelf smem = shelf();
  Tile<T> Q = smem.tile<T>(a.br, a.head_dim), dO = smem.tile<T>(a.br, a.head_dim);
  Tile<T> K = smem.tile<T>(a.bc, a.head_dim), V = smem.tile<T>(a.bc, a.head_dim);
  Tile<float> S = smem.tile<float>(a.br, a.bc), dP = smem.tile<float>(a.br, a.bc);
  Accumulator dK, dV;
  Vec L = smem.vec(a.br), D = smem.vec(a.br);
  Tile<std::uint8_t> M;
  if (pattern) M = smem.tile<std::uint8_t>(blocks_of(a.seqlen_q, a.br), 1);

  const Head<T> kv = kv_head_of<T>(a, kv_head);
  bool seen = false;
  clear(dK, j.size(), a.head_dim);  // dK_j = 0
  clear(dV, j.size(), a.head_dim);  // dV_j = 0
  const Range group = group_of(a, kv_head);
  for (std::int32_t head = group.begin; head < group.end; ++head) {  // query heads of the group
    const Head<T> h = head_of<T>(a, head);
    if (pattern) __syncthreads();                          // all have read that of the head before
    if (pattern) M = load(M, pattern_column(a, head, j));  // M_j
    for (std::int32_t n = is.begin; n < is.end; ++n) {     // row blocks that see column block j
      if (pattern && M[n] == 0) continue;
      const Range i = elements_of(a.seqlen_q, a.br, n);
      if (!seen) K = load(K, kv.keys(a.K, j));  // K_j, before the first of them
      if (!seen) V = load(V, kv.keys(a.V, j));  // V_j
      seen = true;
      Q = load(Q, h.queries(a.Q, i));                                               // Q_i
      L = load(L, h.statistics(a.L, i));                                            // L_i
      S = gemm_nt(S, Q, K);                                                         // S = Q_i K_j^T
      scale(S, a.scale);                                                            // S = scale S
      if (needs_mask(a, i, j)) mask(S, a, i, j);                                    // S = mask(S)
      const Tile<float> P = exp_sub(S, L);                                          // P = exp(S - L_i)
      const Tile<float> P_dropped = a.dropout ? dropout(dP, P, a, head, i, j) : P;  // P_d = Z o P
      dO = load(dO, h.queries(a.dO, i));                                            // dO_i
      gemm_tn_add(dV, P_dropped, dO);                                               // dV_j = dV_j + P_d^T dO_i
      dP = gemm_nt(dP, dO, V);                                                      // dP = dO_i V_j^T
      if (a.dropout) dropout(dP, dP, a, head, i, j);                                // dP = Z o dP
      D = load(D, h.statistics(a.D, i));                                            // D_i
      const Tile<float> dS = jacobian(P, dP, D);                                    // dS = P o (dP - D_i)
      gemm_nn_atomic_add(h.sums(a.dQ_acc, i), dS, K);                               // dQ_acc_i = dQ_acc_i + dS K_j
      gemm_tn_add(dK, dS, Q);                                                       // dK_j = dK_j + dS^T Q_i
    }
  }
  scale(dK, a.scale);           // dK_j = scale dK_j
  store(dK, kv.keys(a.dK, j));  // dK_j
  store(dV, kv.keys(a.dV, j));  // dV_j
}

/// Bytes of shared memory: dQ (Br, d) in fp32.
std::int64_t finish_bytes(const Arguments& a) { return tile_bytes<float>(a.br, a.head_dim); }

template <class T>
__global__ void __launch_bounds__(128) flash2_backward_finish_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.br);  // row block of this CTA
  const Head<T> h = head_of<T>(a, head);
  const Tile<float> dQ = load(shelf().tile<float>(a.br, a.head_dim), h.sums(a.dQ_acc, i));  // dQ_acc_i
  scale(dQ, a.scale);                                                                       // dQ_i = scale dQ_acc_i
  store(dQ, h.queries(a.dQ, i));                                                            // dQ_i
}

template <bool pattern>
void launch_backward(dev::Stream stream, const char* name, const Arguments& a) {
  check_accumulators(name, a.bc, a.head_dim, 256);
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, name, flash2_backward_kernel<T, pattern>, column_blocks(a), 256, backward_bytes<T, pattern>(a),
                a);
  });
}

}  // namespace

void flash2_backward_prepare(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "flash2_backward_prepare", flash2_backward_prepare_kernel<T>, row_blocks(a), 128,
                prepare_bytes<T>(a), a);
  });
}

void flash2_backward(dev::Stream stream, const Arguments& a) { launch_backward<false>(stream, "flash2_backward", a); }

void flash2_block_sparse_backward(dev::Stream stream, const Arguments& a) {
  launch_backward<true>(stream, "flash2_block_sparse_backward", a);
}

void flash2_backward_finish(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "flash2_backward_finish", flash2_backward_finish_kernel<T>, row_blocks(a), 128, finish_bytes(a),
                a);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
