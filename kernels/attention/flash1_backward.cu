// FlashAttention-1, backward, in plain fp32 arithmetic: matches sim/programs/flash1/flash1_backward.cpp verb by verb.
// One CTA per KV head: the outer loop loads each K, V block into shared memory once and accumulates its dK and dV; the
// inner loop streams Q, O, dO, l and m past it, recomputes P, and carries dQ to and from HBM. Source: Dao et al. 2022,
// Algorithm 4 (its line 17 has a transpose, not the scale; D is of all rows).
#include "kernels/attention/launches.h"
#include "kernels/tile/accumulator.h"
#include "kernels/tile/dropout.h"
#include "kernels/tile/grid.h"
#include "kernels/tile/tile_gemm.h"
#include "kernels/tile/tile_softmax.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

/// Bytes of shared memory: Q, O, dO, dQ (Br, d), K, V (Bc, d) as in HBM; P, dP (Br, Bc) and l, m, D (Br) in fp32. dK
/// and dV (Bc, d) are in thread-local memory.
template <class T>
std::int64_t smem_bytes(const Arguments& a) {
  return 4 * tile_bytes<T>(a.br, a.head_dim) + 2 * tile_bytes<T>(a.bc, a.head_dim) + 2 * tile_bytes<float>(a.br, a.bc) +
         3 * tile_bytes<float>(a.br, 1);
}

template <class T>
__device__ void clear_gradients(const Arguments& a, Head<T> kv, Range group) {
  for (std::int32_t head = group.begin; head < group.end; ++head) {
    initialise(head_of<T>(a, head).queries(a.dQ, all_rows(a)), 0);  // dQ = 0                      line 5
  }
  initialise(kv.keys(a.dK, all_keys(a)), 0);  // dK = 0                      line 6
  initialise(kv.keys(a.dV, all_keys(a)), 0);  // dV = 0                      line 6
}

template <class T>
__global__ void __launch_bounds__(256) flash1_backward_kernel(const Arguments a) {
  const Head<T> kv = kv_head_of<T>(a, blockIdx.x);
  const Range group = group_of(a, blockIdx.x);
  SmemAllocator smem = smem_allocator();
  Tile<T> Q = smem.tile<T>(a.br, a.head_dim), O = smem.tile<T>(a.br, a.head_dim);
  Tile<T> dO = smem.tile<T>(a.br, a.head_dim), dQ = smem.tile<T>(a.br, a.head_dim);
  Tile<T> K = smem.tile<T>(a.bc, a.head_dim), V = smem.tile<T>(a.bc, a.head_dim);
  Tile<float> S = smem.tile<float>(a.br, a.bc), dP = smem.tile<float>(a.br, a.bc);
  Accumulator dK, dV;
  Vec l = smem.vec(a.br), m = smem.vec(a.br), D = smem.vec(a.br);

  clear_gradients(a, kv, group);
  const Range js = live_key_blocks(a, all_rows(a));
  for (std::int32_t nj = js.begin; nj < js.end; ++nj) {  // column blocks               line 7
    const Range j = elements_of(a.seqlen_k, a.bc, nj);
    K = load(K, kv.keys(a.K, j));                                      // K_j                         line 8
    V = load(V, kv.keys(a.V, j));                                      // V_j                         line 8
    clear(dK, j.size(), a.head_dim);                                   // dK_j = 0                    line 9
    clear(dV, j.size(), a.head_dim);                                   // dV_j = 0                    line 9
    for (std::int32_t head = group.begin; head < group.end; ++head) {  // query heads of the group
      const Head<T> h = head_of<T>(a, head);
      for (std::int32_t ni = 0; ni < blocks_of(a.seqlen_q, a.br); ++ni) {
        const Range i = elements_of(a.seqlen_q, a.br, ni);
        if (!is_live(a, i, j)) continue;            // row blocks that see j       line 10
        Q = load(Q, h.queries(a.Q, i));             // Q_i                         line 11
        O = load(O, h.queries(a.O, i));             // O_i                         line 11
        dO = load(dO, h.queries(a.dO, i));          // dO_i                        line 11
        dQ = load(dQ, h.queries(a.dQ, i));          // dQ_i                        line 11
        l = load(l, h.statistics(a.l, i));          // l_i                         line 11
        m = load(m, h.statistics(a.m, i));          // m_i                         line 11
        S = gemm_nt(S, Q, K);                       // S = Q_i K_j^T               line 12
        scale(S, a.scale);                          // S = scale S                 line 12
        if (needs_mask(a, i, j)) mask(S, a, i, j);  // S = mask(S)                 line 13
        const Tile<float> P = exp_sub(S, m);        // P = exp(S - m_i)            line 14
        divide_rows(P, l);                          // P = diag(l_i)^-1 P          line 14
        const Tile<float> P_dropped = a.dropout ? dropout(dP, P, a, head, i, j) : P;  // P_d = Z o P line 16
        gemm_tn_add(dV, P_dropped, dO);                 // dV_j = dV_j + P_d^T dO_i    line 17
        dP = gemm_nt(dP, dO, V);                        // dP = dO_i V_j^T             line 18
        if (a.dropout) dropout(dP, dP, a, head, i, j);  // dP = Z o dP                 line 19
        row_dot(D, dO, O);                              // D = rowsum(dO_i o O_i)      line 20
        const Tile<float> dS = jacobian(P, dP, D);      // dS = P o (dP - D)           line 21
        scale(dS, a.scale);                             // dS = scale dS               line 22
        gemm_nn_add(dQ, dS, K);                         // dQ_i = dQ_i + dS K_j        line 22
        store(dQ, h.queries(a.dQ, i));                  // dQ_i                        line 22
        gemm_tn_add(dK, dS, Q);                         // dK_j = dK_j + dS^T Q_i      line 23
      }
    }
    store(dK, kv.keys(a.dK, j));  // dK_j                        line 25
    store(dV, kv.keys(a.dV, j));  // dV_j                        line 25
  }
}

}  // namespace

void flash1_backward(dev::Stream stream, const Arguments& a) {
  check_accumulators("flash1_backward", a.bc, a.head_dim, 256);
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "flash1_backward", flash1_backward_kernel<T>, kv_heads(a), 256, smem_bytes<T>(a), a);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
