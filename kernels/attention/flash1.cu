// FlashAttention-1, forward, in plain fp32 arithmetic: matches sim/programs/flash1/flash1.cpp verb by verb. One CTA per
// head: the outer loop loads each K, V block into shared memory once; the inner loop streams every block of Q past it
// and carries O, l and m to and from HBM. Source: Dao et al. 2022, Algorithm 1, with the scale, mask and dropout of
// Algorithm 2.
#include "kernels/attention/launches.h"
#include "kernels/tile/dropout.h"
#include "kernels/tile/grid.h"
#include "kernels/tile/tile_gemm.h"
#include "kernels/tile/tile_softmax.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

/// Bytes of shared memory: Q, O (Br, d), K, V (Bc, d) as in HBM; S (Br, Bc) and l, m, l~, m~, l', m', alpha, beta (Br)
/// in fp32.
template <class T>
std::int64_t smem_bytes(const Arguments& a) {
  return 2 * tile_bytes<T>(a.br, a.head_dim) + 2 * tile_bytes<T>(a.bc, a.head_dim) + tile_bytes<float>(a.br, a.bc) +
         8 * tile_bytes<float>(a.br, 1);
}

/// O = diag(l')^-1 (diag(alpha l) O + diag(beta) P V), 0 if l' = 0; the elements of P V stay in registers
template <class T>
__device__ void blend(Tile<T> O, Vec alpha, Vec l, Tile<float> P, Tile<T> V, Vec beta, Vec l_new) {
  each(O.rows, O.cols, [&](auto r, auto c) {
    const float PV = product_nn(P, V, r, c);
    O.set(r, c, divide(alpha[r] * l[r], l_new[r]) * O(r, c) + divide(beta[r], l_new[r]) * PV);
  });
}

template <class T>
__global__ void __launch_bounds__(128) flash1_forward_kernel(const Arguments a) {
  const Head<T> h = head_of<T>(a, blockIdx.x);
  SmemAllocator smem = smem_allocator();
  Tile<T> Q = smem.tile<T>(a.br, a.head_dim), O = smem.tile<T>(a.br, a.head_dim);
  Tile<T> K = smem.tile<T>(a.bc, a.head_dim), V = smem.tile<T>(a.bc, a.head_dim);
  Tile<float> S = smem.tile<float>(a.br, a.bc);
  Vec l = smem.vec(a.br), m = smem.vec(a.br);
  Vec l_tilde = smem.vec(a.br), m_tilde = smem.vec(a.br), l_new = smem.vec(a.br), m_new = smem.vec(a.br);
  Vec alpha = smem.vec(a.br), beta = smem.vec(a.br);

  initialise(h.queries(a.O, all_rows(a)), 0);                    // O = 0                           line 2
  initialise(h.statistics(a.l, all_rows(a)), 0);                 // l = 0                           line 2
  initialise(h.statistics(a.m, all_rows(a)), -dev::infinity());  // m = -inf                        line 2
  const Range js = live_key_blocks(a, all_rows(a));
  for (std::int32_t nj = js.begin; nj < js.end; ++nj) {  // column blocks                   line 5
    const Range j = elements_of(a.seqlen_k, a.bc, nj);
    K = load(K, h.keys(a.K, j));  // K_j                             line 6
    V = load(V, h.keys(a.V, j));  // V_j                             line 6
    for (std::int32_t ni = 0; ni < blocks_of(a.seqlen_q, a.br); ++ni) {
      const Range i = elements_of(a.seqlen_q, a.br, ni);
      if (!is_live(a, i, j)) continue;    // row blocks that see j           line 7
      Q = load(Q, h.queries(a.Q, i));     // Q_i                             line 8
      O = load(O, h.queries(a.O, i));     // O_i                             line 8
      l = load(l, h.statistics(a.l, i));  // l_i                             line 8
      m = load(m, h.statistics(a.m, i));  // m_i                             line 8
      m_new.rows = l_new.rows = i.size();
      S = gemm_nt(S, Q, K);                            // S = Q_i K_j^T                   line 9
      scale(S, a.scale);                               // S = scale S                     line 9
      if (needs_mask(a, i, j)) mask(S, a, i, j);       // S = mask(S)
      row_max(m_tilde, S);                             // m~ = rowmax(S)                  line 10
      const Tile<float> P = exp_sub(S, m_tilde);       // P~ = exp(S - m~)                line 10
      row_sum(l_tilde, P);                             // l~ = rowsum(P~)                 line 10
      max(m_new, m, m_tilde);                          // m' = max(m, m~)                 line 11
      exp_sub_rows(alpha, m, m_new);                   // alpha = exp(m - m')             line 11
      exp_sub_rows(beta, m_tilde, m_new);              // beta = exp(m~ - m')             line 11
      blend(l_new, alpha, l, beta, l_tilde);           // l' = alpha l + beta l~          line 11
      if (a.dropout) dropout(P, P, a, h.query, i, j);  // P~ = Z o P~
      blend(O, alpha, l, P, V, beta, l_new);           // O = (alpha l O + beta P~ V)/l'  line 12
      store(O, h.queries(a.O, i));                     // O_i                             line 12
      store(l_new, h.statistics(a.l, i));              // l_i                             line 13
      store(m_new, h.statistics(a.m, i));              // m_i                             line 13
    }
  }
}

}  // namespace

void flash1_forward(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "flash1_forward", flash1_forward_kernel<T>, query_heads(a), 128, smem_bytes<T>(a), a);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
