// FlashAttention-1, backward. One CTA per KV head: the outer loop loads each K, V block into SRAM once and accumulates
// its dK and dV there; the inner loop streams Q, O, dO, l and m past it, recomputes P from them, and loads and stores
// dQ in HBM each time. With grouped heads the inner loop runs for each query head of the group in turn. Under a pattern
// K_j and V_j are loaded and dK_j and dV_j stored even if no query sees them; each query head reads its column.
// Source: Dao et al. 2022, Algorithm 4 (its line 17 has a transpose, not the scale; D is of all rows); the pattern:
// Algorithm 5.
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void clear_gradients(Cta& cta, const Problem& p) {
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {  // query heads of the group
    if (p.alibi()) cta.load_vec(whole(p.hbm.slopes));          // its head's slope            (1)
    cta.initialise(whole(p.hbm.dQ), 0);                        // dQ = 0                      (N, d)   line 5
  }
  cta.initialise(whole(p.hbm.dK), 0);                          // dK = 0                      (N, d)   line 6
  cta.initialise(whole(p.hbm.dV), 0);                          // dV = 0                      (N, d)   line 6
}
void flash1_backward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  if (p.ragged) cta.load_vec(whole(hbm.sequences));                  // its sequence                (4)
  clear_gradients(cta, p);
  for (const Block& j : cta.key_blocks()) {                          // column blocks               line 7
    SmemTile K = cta.load(block(hbm.K, j));                          // K_j                         (Bc, d)  line 8
    SmemTile V = cta.load(block(hbm.V, j));                          // V_j                         (Bc, d)  line 8
    RegTile dK = cta.zeros(Tensor::dK, j, hbm.dK);                   // dK_j = 0                    (Bc, d)  line 9
    RegTile dV = cta.zeros(Tensor::dV, j, hbm.dV);                   // dV_j = 0                    (Bc, d)  line 9
    for ([[maybe_unused]] const Block& h : cta.query_heads()) {      // query heads of the group
      if (p.pattern()) cta.load_vec(column_of(hbm.mask_blocks, j));  // M_j                         (Tr)
      for (const Block& i : cta.query_blocks(j)) {                   // row blocks that see j       line 10
        SmemTile Q = cta.load(block(hbm.Q, i));                      // Q_i                         (Br, d)  line 11
        SmemTile O = cta.load(block(hbm.O, i));                      // O_i                         (Br, d)  line 11
        SmemTile dO = cta.load(block(hbm.dO, i));                    // dO_i                        (Br, d)  line 11
        SmemTile dQ = cta.load(block(hbm.dQ, i));                    // dQ_i                        (Br, d)  line 11
        RegVec l = cta.load_vec(block(hbm.l, i));                    // l_i                         (Br)     line 11
        RegVec m = cta.load_vec(block(hbm.m, i));                    // m_i                         (Br)     line 11
        RegTile S = cta.gemm_nt(Q, K);                               // S = Q_i K_j^T               (Br, Bc) line 12
        cta.scale(S, p.scale);                                       // S = scale S                 (Br, Bc) line 12
        RegTile G;                                                   // derivatives of the score steps
        if (p.modified()) G = cta.modify_with_slopes(S, i, j);       // S, G = score steps of S    (Br, Bc)
        if (i.masked) cta.mask(S, i, j);                             // S = mask(S)                 (Br, Bc) line 13
        RegTile P = cta.exp_sub(std::move(S), m);                    // P = exp(S - m_i)            (Br, Bc) line 14
        cta.divide_rows(P, l);                                       // P = diag(l_i)^-1 P          (Br, Bc) line 14
        RegTile P_dropped;
        if (p.dropout.any()) P_dropped = cta.dropped(P, i, j);       // P_d = Z o P                 (Br, Bc) line 16
        cta.gemm_tn_add(dV, p.dropout.any() ? P_dropped : P, dO);    // dV_j = dV_j + P_d^T dO_i    (Bc, d)  line 17
        RegTile dP = cta.gemm_nt(Tensor::dP, dO, V);                 // dP = dO_i V_j^T             (Br, Bc) line 18
        if (p.dropout.any()) cta.dropout(dP, i, j);                  // dP = Z o dP                 (Br, Bc) line 19
        RegVec D = cta.row_dot(dO, O);                               // D = rowsum(dO_i o O_i)      (Br)     line 20
        RegTile dS = cta.jacobian(P, std::move(dP), D);              // dS = P o (dP - D)           (Br, Bc) line 21
        if (p.sloped()) cta.multiply(dS, std::move(G));              // dS = G o dS                (Br, Bc)
        cta.scale(dS, p.scale);                                      // dS = scale dS               (Br, Bc) line 22
        cta.gemm_nn_add(dQ, dS, K);                                  // dQ_i = dQ_i + dS K_j        (Br, d)  line 22
        cta.store(dQ, block(hbm.dQ, i));                             // dQ_i                        (Br, d)  line 22
        cta.gemm_tn_add(dK, dS, Q);                                  // dK_j = dK_j + dS^T Q_i      (Bc, d)  line 23
      }
    }
    cta.store(dK, block(hbm.dK, j));                                 // dK_j                        (Bc, d)  line 25
    cta.store(dV, block(hbm.dV, j));                                 // dV_j                        (Bc, d)  line 25
  }
}
// clang-format on
}  // namespace

std::vector<Launch> flash1_backward_launches(const Problem& p) {
  using enum Tensor;
  GridShape heads{GridKind::per_kv_head, p.tiling.br, p.tiling.bc};
  heads.all_keys = p.pattern();
  std::vector<Tensor> inputs = {Q, K, V, O, dO, l, m};
  if (p.pattern()) inputs.push_back(mask_blocks);
  return {{.name = p.pattern() ? "block_sparse_backward" : "flash1_backward",
           .body = flash1_backward,
           .grid = heads,
           .threads = 256,
           .round_p = p.dtype != Dtype::fp32,
           .inputs = std::move(inputs),
           .outputs = {dQ, dK, dV},
           .prefetches = false}};
}

}  // namespace sim
