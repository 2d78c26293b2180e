// Memory-efficient attention, forward: O(N) memory, quadratic traffic. One query row at a time makes two passes over
// the keys: the first computes its normaliser L_i, the second sums o_i. Source: Dao et al. 2022, appendix B.1,
// equations 1 and 2. Inaccuracy: the paper omits the maximum; here L is a running log-sum-exp, so that large scores do
// not overflow, and the second pass renormalises, because an fp32 L of large scores is coarse. The traffic is equal.
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void memory_efficient_forward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& i = cta.row();                             // query row of this CTA
  if (p.alibi()) cta.load_vec(whole(hbm.slopes));         // its head's slope           (1)
  SmemTile Q;
  if (cta.live(i)) Q = cta.load(block(hbm.Q, i));         // q_i                        (1, d)
  RegVec l = cta.vec(Tensor::l, i, 0);                    // l = 0                      (1)
  RegVec m = cta.vec(Tensor::m, i, minus_infinity);       // m = -inf                   (1)
  for (const Block& j : cta.key_blocks(i)) {              // column blocks, first pass: equation 1
    SmemTile K = cta.load(block(hbm.K, j));               // K_j                        (Bc, d)
    RegTile S = cta.gemm_nt(Q, K);                        // S = q_i K_j^T              (1, Bc)
    cta.scale(S, p.scale);                                // S = scale S                (1, Bc)
    if (p.modified()) cta.modify(S, i, j);                // S = score steps of S       (1, Bc)
    if (j.masked) cta.mask(S, i, j);                      // S = mask(S)                (1, Bc)
    RegVec m_new = cta.row_max(S, m);                     // m' = max(m, rowmax(S))     (1)
    RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);  // alpha = exp(m - m')        (1)
    RegTile P = cta.exp_sub(std::move(S), m_new);         // P = exp(S - m')            (1, Bc)
    l = cta.add_row_sum(l, alpha, P);                     // l = alpha l + rowsum(P)    (1)
    m = std::move(m_new);                                 // m = m'                     (1)
  }
  RegVec L = cta.log_sum_exp(m, l);                       // L = m + log l              (1)
  cta.store(L, block(hbm.L, i));                          // L_i                        (1)
  if (cta.live(i)) L = cta.load_vec(block(hbm.L, i));     // L_i                        (1)
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);             // o_i = 0                    (1, d)
  l = cta.vec(Tensor::l, i, 0);                           // l = 0                      (1)
  for (const Block& j : cta.key_blocks(i)) {              // column blocks, second pass: equation 2
    SmemTile K = cta.load(block(hbm.K, j));               // K_j                        (Bc, d)
    RegTile S = cta.gemm_nt(Q, K);                        // S = q_i K_j^T              (1, Bc)
    cta.scale(S, p.scale);                                // S = scale S                (1, Bc)
    if (p.modified()) cta.modify(S, i, j);                // S = score steps of S       (1, Bc)
    if (j.masked) cta.mask(S, i, j);                      // S = mask(S)                (1, Bc)
    RegTile P = cta.exp_sub(std::move(S), L);             // P = exp(S - L_i)           (1, Bc)
    l = cta.add_row_sum(l, P);                            // l = l + rowsum(P)          (1)
    if (p.dropout.any()) cta.dropout(P, i, j);            // P = Z o P                  (1, Bc)
    SmemTile V = cta.load(block(hbm.V, j));               // V_j                        (Bc, d)
    cta.gemm_nn_add(O, P, V);                             // o_i = o_i + P V_j          (1, d)
  }
  cta.divide_rows(O, l);                                  // o_i = diag(l)^-1 o_i       (1, d)
  cta.store(O, block(hbm.O, i));                          // o_i                        (1, d)
}
// clang-format on
}  // namespace

std::vector<Launch> memory_efficient_forward_launches(const Problem& p) {
  return {{.name = "memory_efficient_forward",
           .body = memory_efficient_forward,
           .grid = {GridKind::per_row_block, p.tiling.br, p.tiling.bc},
           .threads = 128,
           .round_p = false,
           .inputs = {Tensor::Q, Tensor::K, Tensor::V},
           .outputs = {Tensor::O, Tensor::L}}};
}

}  // namespace sim
