// FlashAttention-1 with its loops exchanged: each CTA owns a block of query rows and streams K and V past it, as in
// flash2, but O is divided by l in each iteration, as in flash1. So the order of the loops changes the traffic (that of
// flash2) and not the values (those of flash1): both sum the same terms. Forward only: neither l nor m is stored, from
// which a backward pass could recompute P. Source: a tutorial's listing of "FlashAttention v1", with Q in the outer
// loop, where Dao et al. 2022, Algorithm 1, has Q in the inner loop.
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void flash1_q_outer(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& i = cta.row();                                 // row block of this CTA
  if (p.alibi()) cta.load_vec(whole(hbm.slopes));             // its head's slope           (1)
  SmemTile Q;
  if (cta.live(i)) Q = cta.load(block(hbm.Q, i));             // Q_i                        (Br, d)
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);                 // O = 0                      (Br, d)
  RegVec l = cta.vec(Tensor::l, i, 0);                        // l = 0                      (Br)
  RegVec m = cta.vec(Tensor::m, i, minus_infinity);           // m = -inf                   (Br)
  for (const Block& j : cta.key_blocks(i)) {                  // column blocks that row block i sees
    SmemTile K = cta.load(block(hbm.K, j));                   // K_j                        (Bc, d)
    SmemTile V = cta.load(block(hbm.V, j));                   // V_j                        (Bc, d)
    RegTile S = cta.gemm_nt(Q, K);                            // S = Q_i K_j^T              (Br, Bc)
    cta.scale(S, p.scale);                                    // S = scale S                (Br, Bc)
    if (p.modified()) cta.modify(S, i, j);                    // S = score steps of S       (Br, Bc)
    if (j.masked) cta.mask(S, i, j);                          // S = mask(S)                (Br, Bc)
    RegVec m_tilde = cta.row_max(S);                          // m~ = rowmax(S)             (Br)
    RegTile P = cta.exp_sub(std::move(S), m_tilde);           // P~ = exp(S - m~)           (Br, Bc)
    RegVec l_tilde = cta.row_sum(P);                          // l~ = rowsum(P~)            (Br)
    RegVec m_new = cta.max(m, m_tilde);                       // m' = max(m, m~)            (Br)
    RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);      // alpha = exp(m - m')        (Br)
    RegVec beta = cta.exp_sub(m_tilde, m_new, Tensor::beta);  // beta = exp(m~ - m')        (Br)
    RegVec l_new = cta.blend(alpha, l, beta, l_tilde);        // l' = alpha l + beta l~     (Br)
    if (p.dropout.any()) cta.dropout(P, i, j);                // P~ = Z o P~                (Br, Bc)
    RegTile PV = cta.gemm_nn(P, V);                           // PV = P~ V_j                (Br, d)
    cta.blend(O, alpha, l, PV, beta, l_new);                  // O = alpha l / l' O + beta / l' PV   (Br, d)
    l = std::move(l_new);                                     // l = l'                     (Br)
    m = std::move(m_new);                                     // m = m'                     (Br)
  }
  cta.store(O, block(hbm.O, i));                              // O_i                        (Br, d)
}
// clang-format on
}  // namespace

std::vector<Launch> flash1_q_outer_launches(const Problem& p) {
  return {{.name = "flash1_q_outer",
           .body = flash1_q_outer,
           .grid = {GridKind::per_row_block, p.tiling.br, p.tiling.bc},
           .threads = 128,
           .round_p = p.dtype != Dtype::fp32,
           .inputs = {Tensor::Q, Tensor::K, Tensor::V},
           .outputs = {Tensor::O}}};
}

}  // namespace sim
