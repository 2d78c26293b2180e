// Fused attention as in NVIDIA's Apex, backward: one kernel, a CTA per KV head, in two passes over the rows. The first
// reads P and dO, writes dS and accumulates dV; the second reads dS and Q, writes dQ and accumulates dK. So N x N
// matrices move three times: P read, dS written, dS read; Q K^T and its exponentials are not recomputed. Source: Apex,
// contrib/fmha (fmha_dgrad_kernel_1xN_reload.h: compute_dv_1xN, then compute_dq_dk_1xN). Inaccuracy: Apex writes dS
// over P, and so takes the memory of only one of them.
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void fmha_backward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& j = cta.col();                                           // all keys
  RegTile V = cta.load_registers(block(hbm.V, j));                      // V                          (N, d)
  RegTile dV = cta.zeros(Tensor::dV, j, hbm.dV);                        // dV = 0                     (N, d)
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {           // query heads of the group
    for (const Block& i : cta.chunks(p.shape.seqlen_q, p.tiling.br)) {  // row blocks, first walk: dV
      SmemTile P = cta.load(block(hbm.P, i, j));                        // P_i                        (Br, N)
      SmemTile dO = cta.load(block(hbm.dO, i));                         // dO_i                       (Br, d)
      RegTile dP = cta.gemm_nt(Tensor::dP, dO, V);                      // dP = dO_i V^T              (Br, N)
      if (p.dropout.any()) cta.dropout(dP, i, j);                       // dP = Z o dP                (Br, N)
      RegVec D = cta.row_dot(P, dP);                                    // D = rowsum(P o dP)         (Br)
      RegTile dS = cta.jacobian(P, std::move(dP), D);                   // dS = P o (dP - D)          (Br, N)
      cta.scale(dS, p.scale);                                           // dS = scale dS              (Br, N)
      cta.store(dS, block(hbm.dS, i, j));                               // dS_i                       (Br, N)
      if (p.dropout.any()) cta.dropout(P, i, j);                        // P = Z o P                  (Br, N)
      cta.gemm_tn_add(dV, P, dO);                                       // dV = dV + P_i^T dO_i       (N, d)
    }
  }
  cta.store(dV, block(hbm.dV, j));                                      // dV                         (N, d)
  V = {};                                                               // its registers are free again
  dV = {};                                                              // its registers are free again
  RegTile K = cta.load_registers(block(hbm.K, j));                      // K                          (N, d)
  RegTile dK = cta.zeros(Tensor::dK, j, hbm.dK);                        // dK = 0                     (N, d)
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {           // query heads of the group
    for (const Block& i : cta.chunks(p.shape.seqlen_q, p.tiling.br)) {  // row blocks, second walk: dQ and dK
      SmemTile dS = cta.load(block(hbm.dS, i, j));                      // dS_i                       (Br, N)
      SmemTile Q = cta.load(block(hbm.Q, i));                           // Q_i                        (Br, d)
      RegTile dQ = cta.gemm_nn(Tensor::dQ, dS, K);                      // dQ = dS_i K                (Br, d)
      cta.store(dQ, block(hbm.dQ, i));                                  // dQ_i                       (Br, d)
      cta.gemm_tn_add(dK, dS, Q);                                       // dK = dK + dS_i^T Q_i       (N, d)
    }
  }
  cta.store(dK, block(hbm.dK, j));                                      // dK                         (N, d)
}
// clang-format on
}  // namespace

std::vector<Launch> fmha_backward_launches(const Problem& p) {
  using enum Tensor;
  const GridShape heads{GridKind::per_column_block, p.tiling.br, p.tiling.bc, false};  // one column block: a KV head
  return {{"fmha_backward", fmha_backward, heads, 256, true, {Q, K, V, P, dO}, {dQ, dK, dV}, {dS}}};
}

}  // namespace sim
