// Memory-efficient attention, backward: O(N) memory, quadratic traffic. Gradients are computed one row at a time: all
// dv_j, all D_i, all dq_i, all dk_j, and the probabilities are recomputed for three of them. A KV head's dk_j and dv_j
// are sums over the query heads of its group. Source: Dao et al. 2022, appendix B.2, equations 3 to 6.
// Inaccuracy: P = exp(S - L_i) with L_i in fp32, so its relative error is |L_i| 2^-24.
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void memory_efficient_dv(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& j = cta.col();                                  // key of this CTA
  SmemTile K;
  if (cta.seen(j)) K = cta.load(block(hbm.K, j));              // k_j                        (1, d)
  RegTile dV = cta.zeros(Tensor::dV, j, hbm.dV);               // dv_j = 0                   (1, d)
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {  // query heads of the group
    if (p.alibi()) cta.load_vec(whole(hbm.slopes));            // its head's slope           (1)
    for (const Block& i : cta.query_blocks(j)) {               // row blocks that see key j
      SmemTile Q = cta.load(block(hbm.Q, i));                  // Q_i                        (Bc, d)
      RegVec L = cta.load_vec(block(hbm.L, i));                // L_i                        (Bc)
      RegTile S = cta.gemm_nt(Q, K);                           // S = Q_i k_j^T              (Bc, 1)
      cta.scale(S, p.scale);                                   // S = scale S                (Bc, 1)
      if (p.modified()) cta.modify(S, i, j);                   // S = score steps of S       (Bc, 1)
      if (i.masked) cta.mask(S, i, j);                         // S = mask(S)                (Bc, 1)
      RegTile P = cta.exp_sub(std::move(S), L);                // P = exp(S - L_i)           (Bc, 1)
      if (p.dropout.any()) cta.dropout(P, i, j);               // P = Z o P                  (Bc, 1)
      SmemTile dO = cta.load(block(hbm.dO, i));                // dO_i                       (Bc, d)
      cta.gemm_tn_add(dV, P, dO);                              // dv_j = dv_j + P^T dO_i     (1, d)   equation 3
    }
  }
  cta.store(dV, block(hbm.dV, j));                             // dv_j                       (1, d)
}

void memory_efficient_d(Cta& cta, const Problem& p) {
  const Block& i = cta.row();                  // query row of this CTA
  SmemTile dO = cta.load(block(p.hbm.dO, i));  // do_i                       (1, d)
  SmemTile O = cta.load(block(p.hbm.O, i));    // o_i                        (1, d)
  RegVec D = cta.row_dot(dO, O);               // D_i = do_i . o_i           (1)      equation 4
  cta.store(D, block(p.hbm.D, i));             // D_i                        (1)
}

void memory_efficient_dq(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& i = cta.row();                               // query row of this CTA
  if (p.alibi()) cta.load_vec(whole(hbm.slopes));           // its head's slope           (1)
  SmemTile Q, dO;
  RegVec L, D;
  if (cta.live(i)) Q = cta.load(block(hbm.Q, i));           // q_i                        (1, d)
  if (cta.live(i)) dO = cta.load(block(hbm.dO, i));         // do_i                       (1, d)
  if (cta.live(i)) L = cta.load_vec(block(hbm.L, i));       // L_i                        (1)
  if (cta.live(i)) D = cta.load_vec(block(hbm.D, i));       // D_i                        (1)
  RegTile dQ = cta.zeros(Tensor::dQ, i, hbm.dQ);            // dq_i = 0                   (1, d)
  for (const Block& j : cta.key_blocks(i)) {                // column blocks that row i sees
    SmemTile K = cta.load(block(hbm.K, j));                 // K_j                        (Bc, d)
    SmemTile V = cta.load(block(hbm.V, j));                 // V_j                        (Bc, d)
    RegTile S = cta.gemm_nt(Q, K);                          // S = q_i K_j^T              (1, Bc)
    cta.scale(S, p.scale);                                  // S = scale S                (1, Bc)
    RegTile G;                                              // derivatives of the score steps
    if (p.modified()) G = cta.modify_with_slopes(S, i, j);  // S, G = score steps of S    (1, Bc)
    if (j.masked) cta.mask(S, i, j);                        // S = mask(S)                (1, Bc)
    RegTile P = cta.exp_sub(std::move(S), L);               // P = exp(S - L_i)           (1, Bc)
    RegTile dP = cta.gemm_nt(Tensor::dP, dO, V);            // dP = do_i V_j^T            (1, Bc)
    if (p.dropout.any()) cta.dropout(dP, i, j);             // dP = Z o dP                (1, Bc)
    RegTile dS = cta.jacobian(P, std::move(dP), D);         // dS = P o (dP - D_i)        (1, Bc)
    if (p.sloped()) cta.multiply(dS, std::move(G));         // dS = G o dS                (1, Bc)
    cta.gemm_nn_add(dQ, dS, K);                             // dq_i = dq_i + dS K_j       (1, d)   equation 5
  }
  cta.scale(dQ, p.scale);                                   // dq_i = scale dq_i          (1, d)
  cta.store(dQ, block(hbm.dQ, i));                          // dq_i                       (1, d)
}

void memory_efficient_dk(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& j = cta.col();                                  // key of this CTA
  SmemTile K, V;
  if (cta.seen(j)) K = cta.load(block(hbm.K, j));              // k_j                        (1, d)
  if (cta.seen(j)) V = cta.load(block(hbm.V, j));              // v_j                        (1, d)
  RegTile dK = cta.zeros(Tensor::dK, j, hbm.dK);               // dk_j = 0                   (1, d)
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {  // query heads of the group
    if (p.alibi()) cta.load_vec(whole(hbm.slopes));            // its head's slope           (1)
    for (const Block& i : cta.query_blocks(j)) {               // row blocks that see key j
      SmemTile Q = cta.load(block(hbm.Q, i));                  // Q_i                        (Bc, d)
      SmemTile dO = cta.load(block(hbm.dO, i));                // dO_i                       (Bc, d)
      RegVec L = cta.load_vec(block(hbm.L, i));                // L_i                        (Bc)
      RegVec D = cta.load_vec(block(hbm.D, i));                // D_i                        (Bc)
      RegTile S = cta.gemm_nt(Q, K);                           // S = Q_i k_j^T              (Bc, 1)
      cta.scale(S, p.scale);                                   // S = scale S                (Bc, 1)
      RegTile G;                                               // derivatives of the score steps
      if (p.modified()) G = cta.modify_with_slopes(S, i, j);   // S, G = score steps of S    (Bc, 1)
      if (i.masked) cta.mask(S, i, j);                         // S = mask(S)                (Bc, 1)
      RegTile P = cta.exp_sub(std::move(S), L);                // P = exp(S - L_i)           (Bc, 1)
      RegTile dP = cta.gemm_nt(Tensor::dP, dO, V);             // dP = dO_i v_j^T            (Bc, 1)
      if (p.dropout.any()) cta.dropout(dP, i, j);              // dP = Z o dP                (Bc, 1)
      RegTile dS = cta.jacobian(P, std::move(dP), D);          // dS = P o (dP - D_i)        (Bc, 1)
      if (p.sloped()) cta.multiply(dS, std::move(G));          // dS = G o dS                (Bc, 1)
      cta.gemm_tn_add(dK, dS, Q);                              // dk_j = dk_j + dS^T Q_i     (1, d)   equation 6
    }
  }
  cta.scale(dK, p.scale);                                      // dk_j = scale dk_j          (1, d)
  cta.store(dK, block(hbm.dK, j));                             // dk_j                       (1, d)
}
// clang-format on
}  // namespace

std::vector<Launch> memory_efficient_backward_launches(const Problem& p) {
  using enum Tensor;
  const Tiling& t = p.tiling;
  const GridShape rows{GridKind::per_row_block, t.br, t.bc}, all_rows{GridKind::per_row_block, t.br, t.bc, false};
  const GridShape keys{GridKind::per_column_block, t.bc, t.br};  // one key at a time: rows and columns are exchanged
  std::vector<Launch> launches;
  launches.push_back({"memory_efficient_dv", memory_efficient_dv, keys, 128, false, {Q, K, dO, L}, {dV}});
  launches.push_back({"memory_efficient_d", memory_efficient_d, all_rows, 128, false, {dO, O}, {D}});
  launches.push_back({"memory_efficient_dq", memory_efficient_dq, rows, 128, false, {Q, K, V, dO, L, D}, {dQ}});
  launches.push_back({"memory_efficient_dk", memory_efficient_dk, keys, 128, false, {Q, K, V, dO, L, D}, {dK}});
  return launches;
}

}  // namespace sim
