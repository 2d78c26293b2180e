// Self-attention in O(N) memory after Rabe and Staats, forward: two kernels. In the first, each CTA owns a chunk of
// keys and stores its own sum O_part for every row that sees it, with the maximum and the sum of its weights. The
// second rescales the chunks of a row to one maximum and sums them. So memory holds O, m and l for each chunk, Tc (N d
// + 2 N) numbers, where flash1 has N d + 2 N. A KV head's CTA processes the query heads of its group in turn. Sources:
// Rabe and Staats 2021, section 3; Dao et al. 2022, appendix B.5. Inaccuracy: the released code computes the chunks one
// after another, by the operations of a framework.
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void rabe_staats_chunk(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& j = cta.col();                                  // chunk of keys of this CTA
  SmemTile K, V;
  if (cta.seen(j)) K = cta.load(block(hbm.K, j));              // K_j                        (Bc, d)
  if (cta.seen(j)) V = cta.load(block(hbm.V, j));              // V_j                        (Bc, d)
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {  // query heads of the group
    if (p.alibi()) cta.load_vec(whole(hbm.slopes));            // its head's slope           (1)
    for (const Block& i : cta.query_blocks(j)) {               // row blocks that see chunk j
      SmemTile Q = cta.load(block(hbm.Q, i));                  // Q_i                        (Br, d)
      RegTile S = cta.gemm_nt(Q, K);                           // S = Q_i K_j^T              (Br, Bc)
      cta.scale(S, p.scale);                                   // S = scale S                (Br, Bc)
      if (p.modified()) cta.modify(S, i, j);                   // S = score steps of S       (Br, Bc)
      if (i.masked) cta.mask(S, i, j);                         // S = mask(S)                (Br, Bc)
      RegVec m = cta.row_max(S);                               // m = rowmax(S)              (Br)
      RegTile P = cta.exp_sub(std::move(S), m);                // P = exp(S - m)             (Br, Bc)
      RegVec l = cta.row_sum(P);                               // l = rowsum(P)              (Br)
      if (p.dropout.any()) cta.dropout(P, i, j);               // P = Z o P                  (Br, Bc)
      RegTile PV = cta.gemm_nn(P, V);                          // PV = P V_j                 (Br, d)
      cta.store(PV, part(hbm.O_part, i, j));                   // O_ij = PV                  (Br, d)
      cta.store(m, part(hbm.m_part, i, j));                    // m_ij = m                   (Br)
      cta.store(l, part(hbm.l_part, i, j));                    // l_ij = l                   (Br)
    }
  }
}

void rabe_staats_combine(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& i = cta.row();                                     // row block of this CTA
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);                     // O = 0                      (Br, d)
  RegVec l = cta.vec(Tensor::l, i, 0);                            // l = 0                      (Br)
  RegVec m = cta.vec(Tensor::m, i, minus_infinity);               // m = -inf                   (Br)
  for (const Block& j : cta.key_blocks(i)) {                      // chunks that row block i sees
    RegVec m_part = cta.load_vec(part(hbm.m_part, i, j));         // m_ij                       (Br)
    RegVec l_part = cta.load_vec(part(hbm.l_part, i, j));         // l_ij                       (Br)
    RegVec m_new = cta.max(m, m_part);                            // m' = max(m, m_ij)          (Br)
    RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);          // alpha = exp(m - m')        (Br)
    RegVec beta = cta.exp_sub(m_part, m_new, Tensor::beta);       // beta = exp(m_ij - m')      (Br)
    RegVec l_new = cta.blend(alpha, l, beta, l_part);             // l' = alpha l + beta l_ij   (Br)
    RegTile O_part = cta.load_registers(part(hbm.O_part, i, j));  // O_ij                       (Br, d)
    cta.blend(O, alpha, l, O_part, beta, l_new);                  // O = alpha l / l' O + beta / l' O_ij   (Br, d)
    l = std::move(l_new);                                         // l = l'                     (Br)
    m = std::move(m_new);                                         // m = m'                     (Br)
  }
  RegVec L = cta.log_sum_exp(m, l);                               // L = m + log l              (Br)
  cta.store(O, block(hbm.O, i));                                  // O_i                        (Br, d)
  cta.store(L, block(hbm.L, i));                                  // L_i                        (Br)
}
// clang-format on
}  // namespace

std::vector<Launch> rabe_staats_launches(const Problem& p) {
  using enum Tensor;
  const GridShape chunks{GridKind::per_column_block, p.tiling.br, p.tiling.bc};
  const GridShape rows{GridKind::per_row_block, p.tiling.br, p.tiling.bc};
  const bool round = p.dtype != Dtype::fp32;
  return {
      {"rabe_staats_chunk", rabe_staats_chunk, chunks, 128, round, {Q, K, V}, {O_part, m_part, l_part}},
      {.name = "rabe_staats_combine",
       .body = rabe_staats_combine,
       .grid = rows,
       .round_p = round,
       .inputs = {O_part, m_part, l_part},
       .outputs = {O, L},
       .tiles_in_flight = unrolled_iterations},
  };
}

}  // namespace sim
