// FlashAttention-2, forward, in plain fp32 arithmetic: the twin of sim/programs/flash2.cpp, verb by verb. Each block
// owns one block of query rows; O, m and l stay on chip (here in shared memory) while K and V stream past. Source: Dao
// 2023, Algorithm 1.
#include "kernels/launches.h"
#include "kernels/tile.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

/// Floats of shared memory: Q, O (Br, d), K, V (Bc, d), S (Br, Bc) and l, m, m', alpha (Br).
std::int64_t smem_floats(const Arguments& a) {
  return std::int64_t{2} * (a.br + a.bc) * a.head_dim + std::int64_t{a.br} * a.bc + std::int64_t{4} * a.br;
}

template <class T>
__global__ void __launch_bounds__(128) flash2_forward_kernel(const Arguments a) {
  const std::int32_t d = a.head_dim, row_blocks = blocks_of(a.seqlen_q, a.br);
  const std::int64_t head = blockIdx.x / row_blocks, kv_head = head / (a.heads / a.kv_heads);
  const Range i = elements_of(a.seqlen_q, a.br, blockIdx.x % row_blocks);
  const Range js = live_key_blocks(a, i);
  Shelf smem{reinterpret_cast<float*>(dev::shared_memory())};
  Tile Q = smem.tile(a.br, d), K = smem.tile(a.bc, d), V = smem.tile(a.bc, d), S = smem.tile(a.br, a.bc);
  Tile m_new = smem.tile(i.size(), 1), alpha = smem.tile(i.size(), 1);

  if (!js.empty()) Q = load(Q, rows_of<T>(a.Q, head, a.seqlen_q, d, i));  // Q_i
  const Tile O = fill(smem.tile(i.size(), d), 0);                         // O = 0
  const Tile l = fill(smem.tile(i.size(), 1), 0);                         // l = 0
  const Tile m = fill(smem.tile(i.size(), 1), -dev::infinity());          // m = -inf
  for (std::int32_t n = js.begin; n < js.end; ++n) {                      // column blocks that row block i sees
    const Range j = elements_of(a.seqlen_k, a.bc, n);
    K = load(K, rows_of<T>(a.K, kv_head, a.seqlen_k, d, j));  // K_j
    S = gemm_nt(S, Q, K);                                     // S = Q_i K_j^T
    scale(S, a.scale);                                        // S = scale S
    if (needs_mask(a, i, j)) mask(S, a, i, j);                // S = mask(S)
    row_max(m_new, S, m);                                     // m' = max(m, rowmax(S))
    exp_sub_rows(alpha, m, m_new);                            // alpha = exp(m - m')
    const Tile P = exp_sub(S, m_new);                         // P = exp(S - m')
    add_row_sum(l, alpha, P);                                 // l = alpha l + rowsum(P)
    copy(m, m_new);                                           // m = m'
    scale_rows(O, alpha);                                     // O = diag(alpha) O
    V = load(V, rows_of<T>(a.V, kv_head, a.seqlen_k, d, j));  // V_j
    gemm_nn_add(O, P, V);                                     // O = O + P V_j
  }
  divide_rows(O, l);                                      // O = diag(l)^-1 O
  log_sum_exp(m, m, l);                                   // L = m + log l
  store(O, rows_of<T>(a.O, head, a.seqlen_q, d, i));      // O_i
  store(m, rows_of<float>(a.L, head, a.seqlen_q, 1, i));  // L_i
}

}  // namespace

void flash2_forward(dev::Stream stream, const Arguments& a) {
  const std::int64_t blocks = std::int64_t{a.batch} * a.heads * blocks_of(a.seqlen_q, a.br);
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "flash2_forward", flash2_forward_kernel<T>, blocks, 128, smem_floats(a) * 4, a);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
