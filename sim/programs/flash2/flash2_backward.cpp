// FlashAttention-2, backward: three kernels. The first computes D and clears dQ_acc. In the main one each CTA owns one
// block of keys, keeps its dK and dV in registers while Q and dO stream past, and adds its part of dQ to dQ_acc (fp32)
// in HBM by atomics, whose order varies on a GPU. The last one rounds dQ_acc to dQ. The CTA of a KV head processes its
// query heads in turn. Under a pattern it reads its column for each of them, and visits the row blocks that see it.
// Source: Dao 2023, Algorithm 2 (where dK = dS^T Q, and D is of all rows); the pattern: Dao et al. 2022, Algorithm 5.
#include "sim/programs/launches.h"
#include "sim/programs/programs.h"
namespace sim {
namespace {
// clang-format off
void flash2_backward_prepare(Cta& cta, const Problem& p) {
  if (p.ragged) cta.load_vec(whole(p.hbm.sequences));  // its sequence         (4)
  const Block& i = cta.row();                          // row block of this CTA
  SmemTile O = cta.load(block(p.hbm.O, i));            // O_i                        (Br, d)
  SmemTile dO = cta.load(block(p.hbm.dO, i));          // dO_i                       (Br, d)
  RegVec D = cta.row_dot(dO, O);                       // D_i = rowsum(dO_i o O_i)   (Br)
  cta.store(D, block(p.hbm.D, i));                     // D_i                        (Br)
  cta.initialise(block(p.hbm.dQ_acc, i), 0);           // dQ_acc_i = 0               (Br, d)
}
void flash2_backward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  if (p.ragged) cta.load_vec(whole(hbm.sequences));                // its sequence               (4)
  const Block& j = cta.col();                                      // column block of this CTA
  SmemTile K, V;
  if (cta.seen(j)) K = cta.load(block(hbm.K, j));                  // K_j                        (Bc, d)
  if (cta.seen(j)) V = cta.load(block(hbm.V, j));                  // V_j                        (Bc, d)
  RegTile dK = cta.zeros(Tensor::dK, j, hbm.dK);                   // dK_j = 0                   (Bc, d)
  RegTile dV = cta.zeros(Tensor::dV, j, hbm.dV);                   // dV_j = 0                   (Bc, d)
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {      // query heads of the group
    if (p.pattern()) cta.load_vec(column_of(hbm.mask_blocks, j));  // M_j                        (Tr)
    if (p.alibi()) cta.load_vec(whole(hbm.slopes));                // its slope                  (1)
    for (const Block& i : cta.query_blocks(j)) {                   // row blocks that see column block j
      SmemTile Q = cta.load(block(hbm.Q, i));                      // Q_i                        (Br, d)
      RegVec L = cta.load_vec(block(hbm.L, i));                    // L_i                        (Br)
      RegTile S = cta.gemm_nt(Q, K);                               // S = Q_i K_j^T              (Br, Bc)
      cta.scale(S, p.scale);                                       // S = scale S                (Br, Bc)
      RegTile G;                                                   // derivatives of the score steps
      if (p.modified()) G = cta.modify_with_slopes(S, i, j);       // S, G = score steps of S    (Br, Bc)
      if (i.masked) cta.mask(S, i, j);                             // S = mask(S)                (Br, Bc)
      RegTile P = cta.exp_sub(std::move(S), L);                    // P = exp(S - L_i)           (Br, Bc)
      RegTile P_dropped;
      if (p.dropout.any()) P_dropped = cta.dropped(P, i, j);       // P_d = Z o P                (Br, Bc)
      SmemTile dO = cta.load(block(hbm.dO, i));                    // dO_i                       (Br, d)
      cta.gemm_tn_add(dV, p.dropout.any() ? P_dropped : P, dO);    // dV_j = dV_j + P_d^T dO_i   (Bc, d)
      P_dropped = {};                                              // its registers are free again
      RegTile dP = cta.gemm_nt(Tensor::dP, dO, V);                 // dP = dO_i V_j^T            (Br, Bc)
      if (p.dropout.any()) cta.dropout(dP, i, j);                  // dP = Z o dP                (Br, Bc)
      RegVec D = cta.load_vec(block(hbm.D, i));                    // D_i                        (Br)
      RegTile dS = cta.jacobian(P, std::move(dP), D);              // dS = P o (dP - D_i)        (Br, Bc)
      if (p.sloped()) cta.multiply(dS, std::move(G));              // dS = G o dS                (Br, Bc)
      RegTile dQ = cta.gemm_nn(Tensor::dQ, dS, K);                 // dQ = dS K_j                (Br, d)
      cta.atomic_add(dQ, block(hbm.dQ_acc, i));                    // dQ_acc_i = dQ_acc_i + dQ   (Br, d)
      cta.gemm_tn_add(dK, dS, Q);                                  // dK_j = dK_j + dS^T Q_i     (Bc, d)
    }
  }
  cta.scale(dK, p.scale);                                          // dK_j = scale dK_j          (Bc, d)
  cta.store(dK, block(hbm.dK, j));                                 // dK_j                       (Bc, d)
  cta.store(dV, block(hbm.dV, j));                                 // dV_j                       (Bc, d)
}
void flash2_backward_finish(Cta& cta, const Problem& p) {
  if (p.ragged) cta.load_vec(whole(p.hbm.sequences));       // its sequence               (4)
  const Block& i = cta.row();                               // row block of this CTA
  RegTile dQ = cta.load_registers(block(p.hbm.dQ_acc, i));  // dQ_acc_i                   (Br, d)
  cta.scale(dQ, p.scale);                                   // dQ_i = scale dQ_acc_i      (Br, d)
  cta.store(dQ, block(p.hbm.dQ, i));                        // dQ_i                       (Br, d)
}
// clang-format on
}  // namespace

std::vector<Launch> between_prepare_and_finish(const Problem& p, Launch main) {
  using enum Tensor;
  const GridShape row_blocks{GridKind::per_row_block, p.tiling.br, p.tiling.bc, false};
  Launch prepare{main.name + "_prepare", flash2_backward_prepare, row_blocks, 128, main.round_p, {O, dO}, {D, dQ_acc}};
  Launch finish{main.name + "_finish", flash2_backward_finish, row_blocks, 128, main.round_p, {dQ_acc}, {dQ}};
  prepare.listing = finish.listing = programs::flash2.backward.listing;
  prepare.form = form::flash2_backward_prepare;
  finish.form = form::flash2_backward_finish;
  return {std::move(prepare), std::move(main), std::move(finish)};
}

std::vector<Launch> flash2_backward_launches(const Problem& p) {
  using enum Tensor;
  std::vector<Tensor> inputs = {Q, K, V, dO, L, D, dQ_acc};
  if (p.pattern()) inputs.push_back(mask_blocks);
  return between_prepare_and_finish(p, {.name = p.pattern() ? "flash2_block_sparse_backward" : "flash2_backward",
                                        .body = flash2_backward,
                                        .grid = {GridKind::per_column_block, p.tiling.br, p.tiling.bc},
                                        .threads = 256,
                                        .round_p = p.dtype != Dtype::fp32,
                                        .inputs = std::move(inputs),
                                        .outputs = {dQ_acc, dK, dV}});
}

}  // namespace sim
