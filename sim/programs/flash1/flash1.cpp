// FlashAttention-1, forward. One CTA per head: the outer loop loads each K, V block into SRAM once, the inner loop
// streams every block of Q past it, and loads and stores O, l and m in HBM each time. Under a pattern the outer loop
// visits every K, V block, even one that no query sees, and reads the pattern's column for it; the inner loop visits
// only the row blocks i with M_ij = 1, and tests the pattern inside the loop.
// Source: Dao et al. 2022, Algorithm 1, with the scale, mask and dropout of Algorithm 2; for the pattern Algorithm 5,
// appendix D.1, whose line numbers are in brackets where they differ.
#include "sim/programs/launches.h"
namespace sim {
namespace {
// clang-format off
void flash1_forward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  if (p.ragged) cta.load_vec(whole(hbm.sequences));                // its sequence                (4)
  if (p.alibi()) cta.load_vec(whole(hbm.slopes));                  // its head's slope            (1)
  cta.initialise(whole(hbm.O), 0);                                 // O = 0                       (N, d)   line 2
  cta.initialise(whole(hbm.l), 0);                                 // l = 0                       (N)      line 2
  cta.initialise(whole(hbm.m), minus_infinity);                    // m = -inf                    (N)      line 2
  for (const Block& j : cta.key_blocks()) {                        // column blocks               line 5
    SmemTile K = cta.load(block(hbm.K, j));                        // K_j                         (Bc, d)  line 6
    SmemTile V = cta.load(block(hbm.V, j));                        // V_j                         (Bc, d)  line 6
    if (p.pattern()) cta.load_vec(column_of(hbm.mask_blocks, j));  // M_j                         (Tr)     line (8)
    for (const Block& i : cta.query_blocks(j)) {                   // row blocks that see j       line 7
      SmemTile Q = cta.load(block(hbm.Q, i));                      // Q_i                         (Br, d)  line 8 (9)
      SmemTile O = cta.load(block(hbm.O, i));                      // O_i                         (Br, d)  line 8 (9)
      RegVec l = cta.load_vec(block(hbm.l, i));                    // l_i                         (Br)     line 8 (9)
      RegVec m = cta.load_vec(block(hbm.m, i));                    // m_i                         (Br)     line 8 (9)
      RegTile S = cta.gemm_nt(Q, K);                               // S = Q_i K_j^T               (Br, Bc) line 9 (10)
      cta.scale(S, p.scale);                                       // S = scale S                 (Br, Bc) line 9 (10)
      if (p.modified()) cta.modify(S, i, j);                       // S = score steps of S       (Br, Bc)
      if (i.masked) cta.mask(S, i, j);                             // S = mask(S)                 (Br, Bc) line (11)
      RegVec m_tilde = cta.row_max(S);                             // m~ = rowmax(S)              (Br)     line 10 (12)
      RegTile P = cta.exp_sub(std::move(S), m_tilde);              // P~ = exp(S - m~)            (Br, Bc) line 10 (12)
      RegVec l_tilde = cta.row_sum(P);                             // l~ = rowsum(P~)             (Br)     line 10 (12)
      RegVec m_new = cta.max(m, m_tilde);                          // m' = max(m, m~)             (Br)     line 11 (13)
      RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);         // alpha = exp(m - m')         (Br)     line 11 (13)
      RegVec beta = cta.exp_sub(m_tilde, m_new, Tensor::beta);     // beta = exp(m~ - m')         (Br)     line 11 (13)
      RegVec l_new = cta.blend(alpha, l, beta, l_tilde);           // l' = alpha l + beta l~      (Br)     line 11 (13)
      if (p.dropout.any()) cta.dropout(P, i, j);                   // P~ = Z o P~                 (Br, Bc) line (14)
      RegTile PV = cta.gemm_nn(P, V);                              // PV = P~ V_j                 (Br, d)  line 12 (15)
      cta.blend(O, alpha, l, PV, beta, l_new);                     // O = (alpha l O + beta PV)/l' (Br, d) line 12 (15)
      cta.store(O, block(hbm.O, i));                               // O_i                         (Br, d)  line 12 (15)
      cta.store(l_new, block(hbm.l, i));                           // l_i                         (Br)     line 13 (16)
      cta.store(m_new, block(hbm.m, i));                           // m_i                         (Br)     line 13 (16)
    }
  }
}
// clang-format on
}  // namespace

std::vector<Launch> flash1_forward_launches(const Problem& p) {
  GridShape heads{GridKind::per_head, p.tiling.br, p.tiling.bc};
  heads.all_keys = p.pattern();
  std::vector<Tensor> inputs = {Tensor::Q, Tensor::K, Tensor::V};
  if (p.pattern()) inputs.push_back(Tensor::mask_blocks);
  return {{.name = p.pattern() ? "block_sparse_forward" : "flash1_forward",
           .body = flash1_forward,
           .grid = heads,
           .threads = 128,
           .round_p = p.dtype != Dtype::fp32,
           .inputs = std::move(inputs),
           .outputs = {Tensor::O, Tensor::l, Tensor::m},
           .prefetches = false}};
}

}  // namespace sim
