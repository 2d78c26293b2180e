// FlashAttention-1, forward. One CTA per head: the outer loop loads each K, V block into SRAM once, the inner loop
// streams every block of Q past it, and loads and stores O, l and m in HBM each time.
// Source: Dao et al. 2022, Algorithm 1, with the scale, mask and dropout of Algorithm 2.
#include "sim/programs/launches.h"
namespace sim {
namespace {

void flash1_forward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  if (p.ragged) cta.load_vec(whole(hbm.sequences));             // its sequence                (4)
  cta.initialise(whole(hbm.O), 0);                              // O = 0                       (N, d)   line 2
  cta.initialise(whole(hbm.l), 0);                              // l = 0                       (N)      line 2
  cta.initialise(whole(hbm.m), minus_infinity);                 // m = -inf                    (N)      line 2
  for (const Block& j : cta.live_key_blocks()) {                // column blocks               line 5
    SmemTile K = cta.load(block(hbm.K, j));                     // K_j                         (Bc, d)  line 6
    SmemTile V = cta.load(block(hbm.V, j));                     // V_j                         (Bc, d)  line 6
    for (const Block& i : cta.query_blocks(j)) {                // row blocks that see j       line 7
      SmemTile Q = cta.load(block(hbm.Q, i));                   // Q_i                         (Br, d)  line 8
      SmemTile O = cta.load(block(hbm.O, i));                   // O_i                         (Br, d)  line 8
      RegVec l = cta.load_vec(block(hbm.l, i));                 // l_i                         (Br)     line 8
      RegVec m = cta.load_vec(block(hbm.m, i));                 // m_i                         (Br)     line 8
      RegTile S = cta.gemm_nt(Q, K);                            // S = Q_i K_j^T               (Br, Bc) line 9
      cta.scale(S, p.scale);                                    // S = scale S                 (Br, Bc) line 9
      if (i.masked) cta.mask(S, i, j);                          // S = mask(S)                 (Br, Bc)
      RegVec m_tilde = cta.row_max(S);                          // m~ = rowmax(S)              (Br)     line 10
      RegTile P = cta.exp_sub(std::move(S), m_tilde);           // P~ = exp(S - m~)            (Br, Bc) line 10
      RegVec l_tilde = cta.row_sum(P);                          // l~ = rowsum(P~)             (Br)     line 10
      RegVec m_new = cta.max(m, m_tilde);                       // m' = max(m, m~)             (Br)     line 11
      RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);      // alpha = exp(m - m')         (Br)     line 11
      RegVec beta = cta.exp_sub(m_tilde, m_new, Tensor::beta);  // beta = exp(m~ - m')         (Br)     line 11
      RegVec l_new = cta.blend(alpha, l, beta, l_tilde);        // l' = alpha l + beta l~      (Br)     line 11
      if (p.dropout.any()) cta.dropout(P, i, j);                // P~ = Z o P~                 (Br, Bc)
      RegTile PV = cta.gemm_nn(P, V);                           // PV = P~ V_j                 (Br, d)  line 12
      cta.blend(O, alpha, l, PV, beta, l_new);                  // O = (alpha l O + beta PV)/l' (Br, d) line 12
      cta.store(O, block(hbm.O, i));                            // O_i                         (Br, d)  line 12
      cta.store(l_new, block(hbm.l, i));                        // l_i                         (Br)     line 13
      cta.store(m_new, block(hbm.m, i));                        // m_i                         (Br)     line 13
    }
  }
}

}  // namespace

std::vector<Launch> flash1_forward_launches(const Problem& p) {
  return {{.name = "flash1_forward",
           .body = flash1_forward,
           .grid = {GridKind::per_head, p.tiling.br, p.tiling.bc},
           .threads = 128,
           .round_p = p.dtype != Dtype::fp32,
           .inputs = {Tensor::Q, Tensor::K, Tensor::V},
           .outputs = {Tensor::O, Tensor::l, Tensor::m},
           .prefetches = false}};
}

}  // namespace sim
