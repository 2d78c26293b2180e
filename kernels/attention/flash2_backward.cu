// FlashAttention-2, backward, in plain fp32 arithmetic: matches sim/programs/flash2/flash2_backward.cpp verb by verb.
// Three kernels: the first computes D and clears dQ_acc; the second assigns a block of keys to each CTA and streams Q
// and dO past its dK and dV; the third rounds dQ_acc to dQ. Under a pattern a CTA of the second reads its column of the
// pattern for each query head and visits the row blocks that see it. In a ragged batch each kernel first looks up its
// entry.
// Source: Dao 2023, Algorithm 2 (where dK = dS^T Q, and D is of all rows); for the pattern Dao et al. 2022,
// Algorithm 5. Inaccuracy: CTAs add to dQ_acc in any order, so that dQ varies by a rounding from run to run.
#include "kernels/attention/launches.h"
#include "kernels/tile/accumulator.h"
#include "kernels/tile/dropout.h"
#include "kernels/tile/pattern.h"
#include "kernels/tile/ragged.h"
#include "kernels/tile/score_steps.h"
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

/// D_i and dQ_acc_i for row block i of a head; `h` gives the head's blocks in HBM.
template <class T, class OfHead>
__device__ __forceinline__ void prepare_block(const Arguments& a, SmemAllocator smem, const OfHead& h, Range i) {
  const Tile<T> O = load(smem.tile<T>(a.br, a.head_dim), h.queries(a.O, i));    // O_i
  const Tile<T> dO = load(smem.tile<T>(a.br, a.head_dim), h.queries(a.dO, i));  // dO_i
  const Vec D = smem.vec(i.size());
  row_dot(D, dO, O);                   // D_i = rowsum(dO_i o O_i)
  store(D, h.statistics(a.D, i));      // D_i
  initialise(h.sums(a.dQ_acc, i), 0);  // dQ_acc_i = 0
}

template <class T>
__global__ void __launch_bounds__(128) flash2_backward_prepare_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.br);  // row block of this CTA
  prepare_block<T>(a, smem_allocator(), head_of<T>(a, head), i);
}

template <class T>
__global__ void __launch_bounds__(128)
    flash2_backward_prepare_ragged_kernel(const Arguments batch, const __grid_constant__ RaggedGrid grid) {
  SmemAllocator smem = smem_allocator();
  const RaggedRowBlock<T> at(batch, grid, smem);  // its sequence, row block of this CTA
  prepare_block<T>(at.a, smem, at.head, at.i);
}

/// Bytes of shared memory: Q, dO (Br, d), K, V (Bc, d) as in HBM; P, dP (Br, Bc) and L, D (Br) in fp32; with score
/// steps a slope, with softcap G (Br, Bc); under a pattern M_j (Tr) in bytes. dK and dV (Bc, d) are in thread-local
/// memory.
template <class T, bool pattern>
std::int64_t backward_bytes(const Arguments& a) {
  const std::int64_t scores = a.softcap > 0 ? 3 : 2;
  return 2 * tile_bytes<T>(a.br, a.head_dim) + 2 * tile_bytes<T>(a.bc, a.head_dim) +
         scores * tile_bytes<float>(a.br, a.bc) + 2 * tile_bytes<float>(a.br, 1) +
         (a.modified() ? tile_bytes<float>(1, 1) : 0) +
         (pattern ? tile_bytes<std::uint8_t>(blocks_of(a.seqlen_q, a.br), 1) : 0);
}

/// dK_j and dV_j for column block j of a KV head; `heads` gives the blocks of that head and its group in HBM.
template <class T, bool pattern, class Heads>
__device__ __forceinline__ void backward_block(const Arguments& a, SmemAllocator smem, const Heads& heads, Range j) {
  const Range is = live_query_blocks(a, j);
  Tile<T> Q = smem.tile<T>(a.br, a.head_dim), dO = smem.tile<T>(a.br, a.head_dim);
  Tile<T> K = smem.tile<T>(a.bc, a.head_dim), V = smem.tile<T>(a.bc, a.head_dim);
  Tile<float> S = smem.tile<float>(a.br, a.bc), dP = smem.tile<float>(a.br, a.bc);
  Accumulator dK, dV;
  Vec L = smem.vec(a.br), D = smem.vec(a.br);
  Tile<std::uint8_t> M;
  if (pattern) M = smem.tile<std::uint8_t>(blocks_of(a.seqlen_q, a.br), 1);
  const Vec slope = smem.vec(1);  // these two are last: without score steps they do not exist
  const Tile<float> G = smem.tile<float>(a.br, a.bc);

  const auto kv = heads.kv();
  bool seen = false;
  clear(dK, j.size(), a.head_dim);  // dK_j = 0
  clear(dV, j.size(), a.head_dim);  // dV_j = 0
  const Range group = heads.group();
  for (std::int32_t head = group.begin; head < group.end; ++head) {  // query heads of the group
    const auto h = heads.of(head);
    const std::int64_t in_batch = heads.first + head;          // head index over the batch
    if (pattern) __syncthreads();                              // all threads have read M_j of the previous head
    if (pattern) M = load(M, pattern_column(a, in_batch, j));  // M_j
    if (a.alibi) load(slope, slopes_of(a, in_batch, j));       // its slope
    for (std::int32_t n = is.begin; n < is.end; ++n) {         // row blocks that see column block j
      if (pattern && M[n] == 0) continue;
      const Range i = elements_of(a.seqlen_q, a.br, n);
      if (!seen) K = load(K, kv.keys(a.K, j));  // K_j, before the first visit
      if (!seen) V = load(V, kv.keys(a.V, j));  // V_j
      seen = true;
      Q = load(Q, h.queries(a.Q, i));                                                   // Q_i
      L = load(L, h.statistics(a.L, i));                                                // L_i
      S = gemm_nt(S, Q, K);                                                             // S = Q_i K_j^T
      scale(S, a.scale);                                                                // S = scale S
      if (a.modified()) modify_with_slopes(S, G, a, slope, i, j);                       // S, G = score steps of S
      if (needs_mask(a, i, j)) mask(S, a, i, j);                                        // S = mask(S)
      const Tile<float> P = exp_sub(S, L);                                              // P = exp(S - L_i)
      const Tile<float> P_dropped = a.dropout ? dropout(dP, P, a, in_batch, i, j) : P;  // P_d = Z o P
      dO = load(dO, h.queries(a.dO, i));                                                // dO_i
      gemm_tn_add(dV, P_dropped, dO);                                                   // dV_j = dV_j + P_d^T dO_i
      dP = gemm_nt(dP, dO, V);                                                          // dP = dO_i V_j^T
      if (a.dropout) dropout(dP, dP, a, in_batch, i, j);                                // dP = Z o dP
      D = load(D, h.statistics(a.D, i));                                                // D_i
      const Tile<float> dS = jacobian(P, dP, D);                                        // dS = P o (dP - D_i)
      if (a.softcap > 0) multiply(dS, G);                                               // dS = G o dS
      gemm_nn_atomic_add(h.sums(a.dQ_acc, i), dS, K);                                   // dQ_acc_i = dQ_acc_i + dS K_j
      gemm_tn_add(dK, dS, Q);                                                           // dK_j = dK_j + dS^T Q_i
    }
  }
  scale(dK, a.scale);           // dK_j = scale dK_j
  store(dK, kv.keys(a.dK, j));  // dK_j
  store(dV, kv.keys(a.dV, j));  // dV_j
}

/// Heads of a column block if all batch entries are alike, indexed over the batch.
template <class T>
struct GroupOfHeads {
  const Arguments& a;
  std::int64_t kv_head;
  std::int64_t first = 0;  ///< added to a head's index in its entry to index it over the batch
  __device__ Head<T> kv() const { return kv_head_of<T>(a, kv_head); }
  __device__ Range group() const { return group_of(a, kv_head); }
  __device__ Head<T> of(std::int32_t head) const { return head_of<T>(a, head); }
};

template <class T, bool pattern>
__global__ void __launch_bounds__(256) flash2_backward_kernel(const Arguments a) {
  const auto [kv_head, queries, j] = column_block_of(a, blockIdx.x);  // column block of this CTA
  backward_block<T, pattern>(a, smem_allocator(), GroupOfHeads<T>{a, kv_head}, j);
}

template <class T>
__global__ void __launch_bounds__(256)
    flash2_backward_ragged_kernel(const Arguments batch, const __grid_constant__ RaggedGrid grid) {
  SmemAllocator smem = smem_allocator();
  const RaggedColumnBlock<T> at(batch, grid, smem);  // its sequence, column block of this CTA
  backward_block<T, false>(at.a, smem, at, at.j);
}

/// Bytes of shared memory: dQ (Br, d) in fp32.
std::int64_t finish_bytes(const Arguments& a) { return tile_bytes<float>(a.br, a.head_dim); }

/// dQ_i for row block i of a head; `h` gives the head's blocks in HBM.
template <class T, class OfHead>
__device__ __forceinline__ void finish_block(const Arguments& a, SmemAllocator smem, const OfHead& h, Range i) {
  const Tile<float> dQ = load(smem.tile<float>(a.br, a.head_dim), h.sums(a.dQ_acc, i));  // dQ_acc_i
  scale(dQ, a.scale);                                                                    // dQ_i = scale dQ_acc_i
  store(dQ, h.queries(a.dQ, i));                                                         // dQ_i
}

template <class T>
__global__ void __launch_bounds__(128) flash2_backward_finish_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.br);  // row block of this CTA
  finish_block<T>(a, smem_allocator(), head_of<T>(a, head), i);
}

template <class T>
__global__ void __launch_bounds__(128)
    flash2_backward_finish_ragged_kernel(const Arguments batch, const __grid_constant__ RaggedGrid grid) {
  SmemAllocator smem = smem_allocator();
  const RaggedRowBlock<T> at(batch, grid, smem);  // its sequence, row block of this CTA
  finish_block<T>(at.a, smem, at.head, at.i);
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

void flash2_backward_prepare_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  const RaggedGrid grid = ragged_row_blocks(batch, a);
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "flash2_backward_prepare", flash2_backward_prepare_ragged_kernel<T>, grid.ctas, 128,
                sequence_bytes + prepare_bytes<T>(a), a, grid);
  });
}

void flash2_backward_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  check_accumulators("flash2_backward", a.bc, a.head_dim, 256);
  const RaggedGrid grid = ragged_column_blocks(batch, a);
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "flash2_backward", flash2_backward_ragged_kernel<T>, grid.ctas, 256,
                sequence_bytes + backward_bytes<T, false>(a), a, grid);
  });
}

void flash2_backward_finish_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  const RaggedGrid grid = ragged_row_blocks(batch, a);
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "flash2_backward_finish", flash2_backward_finish_ragged_kernel<T>, grid.ctas, 128,
                sequence_bytes + finish_bytes(a), a, grid);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
