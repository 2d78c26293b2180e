// Self-attention in O(N) memory after Rabe and Staats, backward, by checkpointing: only the inputs of a chunk were
// kept, so the differentiated program recomputes the whole chunk, with its own maximum m, its sum l and its part of O,
// before its backward pass: one product more than flash1, which recomputes only the matrix. A part has the weight exp(m
// - L) in O, and so do its gradients. Its CTAs add to dQ_acc (fp32); the kernels before and after it, which compute D
// and dQ_acc = 0, and dQ, are those of flash2 (flash2_backward.cpp). Source: Rabe and Staats 2021, section 3; Dao et
// al. 2022, appendix B.5. Inaccuracies: the released code processes chunk after chunk, and a compiler may remove l and
// O_ij, which are never read.
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void rabe_staats_backward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& j = cta.col();                                        // chunk of keys of this CTA
  SmemTile K, V;
  if (cta.seen(j)) K = cta.load(block(hbm.K, j));                    // K_j                        (Bc, d)
  if (cta.seen(j)) V = cta.load(block(hbm.V, j));                    // V_j                        (Bc, d)
  RegTile dK = cta.zeros(Tensor::dK, j, hbm.dK);                     // dK_j = 0                   (Bc, d)
  RegTile dV = cta.zeros(Tensor::dV, j, hbm.dV);                     // dV_j = 0                   (Bc, d)
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {        // query heads of the group
    if (p.alibi()) cta.load_vec(whole(hbm.slopes));                  // its head's slope           (1)
    for (const Block& i : cta.query_blocks(j)) {                     // row blocks that see chunk j
      SmemTile Q = cta.load(block(hbm.Q, i));                        // Q_i                        (Br, d)
      RegTile S = cta.gemm_nt(Q, K);                                 // S = Q_i K_j^T              (Br, Bc)
      cta.scale(S, p.scale);                                         // S = scale S                (Br, Bc)
      RegTile G;                                                     // derivatives of the score steps
      if (p.modified()) G = cta.modify_with_slopes(S, i, j);         // S, G = score steps of S    (Br, Bc)
      if (i.masked) cta.mask(S, i, j);                               // S = mask(S)                (Br, Bc)
      RegVec m = cta.row_max(S);                                     // m = rowmax(S)              (Br)
      RegTile P = cta.exp_sub(std::move(S), m);                      // P = exp(S - m)             (Br, Bc)
      RegVec l = cta.row_sum(P);                                     // l = rowsum(P)              (Br)
      RegTile P_dropped;
      if (p.dropout.any()) P_dropped = cta.dropped(P, i, j);         // P_d = Z o P                (Br, Bc)
      RegTile PV = cta.gemm_nn(p.dropout.any() ? P_dropped : P, V);  // O_ij = P_d V_j             (Br, d)
      PV = {};                                                       // its registers are free again
      RegVec L = cta.load_vec(block(hbm.L, i));                      // L_i                        (Br)
      RegVec alpha = cta.exp_sub(m, L, Tensor::alpha);               // alpha = exp(m - L_i)       (Br)
      cta.scale_rows(P, alpha);                                      // P = diag(alpha) P          (Br, Bc)
      if (p.dropout.any()) cta.scale_rows(P_dropped, alpha);         // P_d = diag(alpha) P_d      (Br, Bc)
      SmemTile dO = cta.load(block(hbm.dO, i));                      // dO_i                       (Br, d)
      cta.gemm_tn_add(dV, p.dropout.any() ? P_dropped : P, dO);      // dV_j = dV_j + P_d^T dO_i   (Bc, d)
      P_dropped = {};                                                // its registers are free again
      RegTile dP = cta.gemm_nt(Tensor::dP, dO, V);                   // dP = dO_i V_j^T            (Br, Bc)
      if (p.dropout.any()) cta.dropout(dP, i, j);                    // dP = Z o dP                (Br, Bc)
      RegVec D = cta.load_vec(block(hbm.D, i));                      // D_i                        (Br)
      RegTile dS = cta.jacobian(P, std::move(dP), D);                // dS = P o (dP - D_i)        (Br, Bc)
      if (p.sloped()) cta.multiply(dS, std::move(G));                // dS = G o dS                (Br, Bc)
      RegTile dQ = cta.gemm_nn(Tensor::dQ, dS, K);                   // dQ = dS K_j                (Br, d)
      cta.atomic_add(dQ, block(hbm.dQ_acc, i));                      // dQ_acc_i = dQ_acc_i + dQ   (Br, d)
      cta.gemm_tn_add(dK, dS, Q);                                    // dK_j = dK_j + dS^T Q_i     (Bc, d)
    }
  }
  cta.scale(dK, p.scale);                                            // dK_j = scale dK_j          (Bc, d)
  cta.store(dK, block(hbm.dK, j));                                   // dK_j                       (Bc, d)
  cta.store(dV, block(hbm.dV, j));                                   // dV_j                       (Bc, d)
}
// clang-format on
}  // namespace

std::vector<Launch> rabe_staats_backward_launches(const Problem& p) {
  using enum Tensor;
  return between_prepare_and_finish(p, {.name = "rabe_staats_backward",
                                        .body = rabe_staats_backward,
                                        .grid = {GridKind::per_column_block, p.tiling.br, p.tiling.bc},
                                        .threads = 256,
                                        .round_p = p.dtype != Dtype::fp32,
                                        .inputs = {Q, K, V, dO, L, D, dQ_acc},
                                        .outputs = {dQ_acc, dK, dV}});
}

}  // namespace sim
