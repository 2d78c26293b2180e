// FlashAttention-1 as released, backward: the choices of the 2022 code where Algorithm 4 leaves them open. One CTA per
// head; K, V and the sums of dK and dV stay on chip while Q and dO stream past, 16 rows at a time. The first pass
// computes D and stores it in HBM, where every pass reads it; dQ is kept there in fp32 between passes.
// Source: Dao et al., flash-attention 0.2, fmha_dgrad_kernel_1xN_loop.h and fmha_api.cpp.
// Inaccuracies: as in the forward pass. Padded keys do not exist in that code's packed tensors: their dK and dV are 0
// and not written.
#include "sim/programs/flash1_released/tensors.h"
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void flash1_released_backward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  if (p.alibi()) cta.load_vec(whole(hbm.slopes));                  // its head's slope            (1)
  for (const Block& j : cta.live_key_blocks()) {                   // column blocks: a pass over the queries
    const bool first = j.index() == 0;                             // every row is in it
    SmemTile K = cta.load(block(hbm.K, j));                        // K_j                         (Bc, d)
    SmemTile V = cta.load(block(hbm.V, j));                        // V_j                         (Bc, d)
    RegTile dK = cta.zeros(Tensor::dK, j, hbm.dK);                 // dK_j = 0                    (Bc, d)
    RegTile dV = cta.zeros(Tensor::dV, j, hbm.dV);                 // dV_j = 0                    (Bc, d)
    for (const Block& i : cta.query_visits(j)) {                   // row blocks that see j
      SmemTile Q = cta.load(block(hbm.Q, i));                      // Q_i                         (Br, d)
      SmemTile dO = cta.load(block(hbm.dO, i));                    // dO_i                        (Br, d)
      if (first) {                                                 // this is the first pass
        SmemTile O = cta.load(block(hbm.O, i));                    // O_i                         (Br, d)
        RegVec D_new = cta.row_dot(dO, O);                         // D = rowsum(dO_i o O_i)      (Br)
        cta.store(D_new, block(hbm.D, i));                         // D_i                         (Br)
      }
      RegVec L = cta.load_vec(block(hbm.L, i));                    // L_i                         (Br)
      RegVec D = cta.load_vec(block(hbm.D, i));                    // D_i                         (Br)
      RegTile S = cta.gemm_nt(Q, K);                               // S = Q_i K_j^T               (Br, Bc)
      cta.scale(S, p.scale);                                       // S = scale S                 (Br, Bc)
      RegTile G;                                                   // derivatives of the score steps
      if (p.modified()) G = cta.modify_with_slopes(S, i, j);       // S, G = score steps of S     (Br, Bc)
      if (i.masked) cta.mask(S, i, j);                             // S = mask(S)                 (Br, Bc)
      RegTile P = cta.exp_sub(std::move(S), L);                    // P = exp(S - L)              (Br, Bc)
      RegTile P_dropped;
      if (p.dropout.any()) P_dropped = cta.dropped(P, i, j);       // P_d = Z o P                 (Br, Bc)
      cta.gemm_tn_add(dV, p.dropout.any() ? P_dropped : P, dO);    // dV_j = dV_j + P_d^T dO_i    (Bc, d)
      RegTile dP = cta.gemm_nt(Tensor::dP, dO, V);                 // dP = dO_i V_j^T             (Br, Bc)
      if (p.dropout.any()) cta.dropout(dP, i, j);                  // dP = Z o dP                 (Br, Bc)
      RegTile dS = cta.jacobian(P, std::move(dP), D);              // dS = P o (dP - D)           (Br, Bc)
      if (p.sloped()) cta.multiply(dS, std::move(G));              // dS = G o dS                 (Br, Bc)
      RegTile dQ;
      if (first) dQ = cta.zeros(Tensor::dQ, i, hbm.dQ);            // dQ = 0                      (Br, d)
      if (!first) dQ = cta.load_registers(block(hbm[dQ_tmp], i));  // dQ_i in fp32                (Br, d)
      cta.gemm_nn_add(dQ, dS, K);                                  // dQ = dQ + dS K_j            (Br, d)
      cta.gemm_tn_add(dK, dS, Q);                                  // dK_j = dK_j + dS^T Q_i      (Bc, d)
      if (i.last) cta.scale(dQ, p.scale);                          // dQ = scale dQ               (Br, d)
      cta.store(dQ, block(i.last ? hbm.dQ : hbm[dQ_tmp], i));      // dQ_i, fp32 until then       (Br, d)
    }
    cta.scale(dK, p.scale);                                        // dK_j = scale dK_j           (Bc, d)
    cta.store(dK, block(hbm.dK, j));                               // dK_j                        (Bc, d)
    cta.store(dV, block(hbm.dV, j));                               // dV_j                        (Bc, d)
  }
}
// clang-format on
}  // namespace

std::vector<Launch> flash1_released_backward_launches(const Problem& p) {
  using enum Tensor;
  const bool one_pass = p.shape.seqlen_k <= p.tiling.bc;
  return {{.name = "flash1_released_backward",
           .body = flash1_released_backward,
           .grid = {GridKind::per_head, p.tiling.br, p.tiling.bc},
           .threads = 256,
           .round_p = true,
           .inputs = {Q, K, V, O, dO, L},
           .outputs = {dQ, dK, dV},
           .scratch = one_pass ? std::vector{D} : std::vector{D, dQ_tmp}}};
}

}  // namespace sim
