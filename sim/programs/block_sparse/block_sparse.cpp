// Block-sparse FlashAttention, forward: FlashAttention-1 that skips the blocks that a pattern hides. The outer loop
// loads every K, V block into SRAM, even one that no query sees, and the pattern's column for it; the inner loop visits
// only the row blocks i with M_ij = 1, and tests the pattern inside the loop.
// Source: Dao et al. 2022, Algorithm 5, appendix D.1.
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void block_sparse_forward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  cta.initialise(whole(hbm.O), 0);                              // O = 0                       (N, d)   line 2
  cta.initialise(whole(hbm.l), 0);                              // l = 0                       (N)      line 2
  cta.initialise(whole(hbm.m), minus_infinity);                 // m = -inf                    (N)      line 2
  for (const Block& j : cta.all_key_blocks()) {                 // column blocks               line 5
    SmemTile K = cta.load(block(hbm.K, j));                     // K_j                         (Bc, d)  line 6
    SmemTile V = cta.load(block(hbm.V, j));                     // V_j                         (Bc, d)  line 6
    cta.load_vec(column_of(hbm.mask_blocks, j));                // M_j                         (Tr)     line 8
    for (const Block& i : cta.query_blocks(j)) {                // row blocks with M_ij = 1    line 7
      SmemTile Q = cta.load(block(hbm.Q, i));                   // Q_i                         (Br, d)  line 9
      SmemTile O = cta.load(block(hbm.O, i));                   // O_i                         (Br, d)  line 9
      RegVec l = cta.load_vec(block(hbm.l, i));                 // l_i                         (Br)     line 9
      RegVec m = cta.load_vec(block(hbm.m, i));                 // m_i                         (Br)     line 9
      RegTile S = cta.gemm_nt(Q, K);                            // S = Q_i K_j^T               (Br, Bc) line 10
      cta.scale(S, p.scale);                                    // S = scale S                 (Br, Bc) line 10
      if (i.masked) cta.mask(S, i, j);                          // S = mask(S)                 (Br, Bc) line 11
      RegVec m_tilde = cta.row_max(S);                          // m~ = rowmax(S)              (Br)     line 12
      RegTile P = cta.exp_sub(std::move(S), m_tilde);           // P~ = exp(S - m~)            (Br, Bc) line 12
      RegVec l_tilde = cta.row_sum(P);                          // l~ = rowsum(P~)             (Br)     line 12
      RegVec m_new = cta.max(m, m_tilde);                       // m' = max(m, m~)             (Br)     line 13
      RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);      // alpha = exp(m - m')         (Br)     line 13
      RegVec beta = cta.exp_sub(m_tilde, m_new, Tensor::beta);  // beta = exp(m~ - m')         (Br)     line 13
      RegVec l_new = cta.blend(alpha, l, beta, l_tilde);        // l' = alpha l + beta l~      (Br)     line 13
      if (p.dropout.any()) cta.dropout(P, i, j);                // P~ = Z o P~                 (Br, Bc) line 14
      RegTile PV = cta.gemm_nn(P, V);                           // PV = P~ V_j                 (Br, d)  line 15
      cta.blend(O, alpha, l, PV, beta, l_new);                  // O = (alpha l O + beta PV)/l' (Br, d) line 15
      cta.store(O, block(hbm.O, i));                            // O_i                         (Br, d)  line 15
      cta.store(l_new, block(hbm.l, i));                        // l_i                         (Br)     line 16
      cta.store(m_new, block(hbm.m, i));                        // m_i                         (Br)     line 16
    }
  }
}
// clang-format on
}  // namespace

std::vector<Launch> block_sparse_forward_launches(const Problem& p) {
  GridShape heads{GridKind::per_head, p.tiling.br, p.tiling.bc};
  heads.all_keys = true;
  return {{.name = "block_sparse_forward",
           .body = block_sparse_forward,
           .grid = heads,
           .threads = 128,
           .round_p = p.dtype != Dtype::fp32,
           .inputs = {Tensor::Q, Tensor::K, Tensor::V, Tensor::mask_blocks},
           .outputs = {Tensor::O, Tensor::l, Tensor::m},
           .prefetches = false}};
}

}  // namespace sim
