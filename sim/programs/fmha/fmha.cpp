// Fused attention as in NVIDIA's Apex before FlashAttention, forward: a CTA takes a head and keeps all of K and V on
// chip, so that whole rows of scores are in registers: softmax needs no second pass and no statistics. P is written to
// HBM once, normalised and in the dtype, for the backward pass, which does not recompute it: memory stays quadratic.
// With grouped heads a CTA processes the query heads of its KV head in turn. Nothing is skipped: a mask hides scores.
// Source: Apex, contrib/fmha (fmha_fprop_kernel_1xN.h); Dao et al. 2022, appendix E.4.
// Inaccuracy: Apex stores the dropout mask in the signs of P; here it is drawn again. Both move no byte.
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void fmha_forward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& j = cta.col();                                           // all keys
  RegTile K = cta.load_registers(block(hbm.K, j));                      // K                          (N, d)
  RegTile V = cta.load_registers(block(hbm.V, j));                      // V                          (N, d)
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {           // query heads of the group
    for (const Block& i : cta.chunks(p.shape.seqlen_q, p.tiling.br)) {  // row blocks
      SmemTile Q = cta.load(block(hbm.Q, i));                           // Q_i                        (Br, d)
      RegTile S = cta.gemm_nt(Q, K);                                    // S = Q_i K^T                (Br, N)
      cta.scale(S, p.scale);                                            // S = scale S                (Br, N)
      if (p.shape.mask.any()) cta.mask(S, i, j);                        // S = mask(S)                (Br, N)
      RegVec m = cta.row_max(S);                                        // m = rowmax(S)              (Br)
      RegTile P = cta.exp_sub(std::move(S), m);                         // P = exp(S - m)             (Br, N)
      RegVec l = cta.row_sum(P);                                        // l = rowsum(P)              (Br)
      cta.divide_rows(P, l);                                            // P = diag(l)^-1 P           (Br, N)
      cta.store(P, block(hbm.P, i, j));                                 // P_i                        (Br, N)
      if (p.dropout.any()) cta.dropout(P, i, j);                        // P = Z o P                  (Br, N)
      RegTile O = cta.gemm_nn(Tensor::O, P, V);                         // O = P V                    (Br, d)
      cta.store(O, block(hbm.O, i));                                    // O_i                        (Br, d)
    }
  }
}
// clang-format on
}  // namespace

std::vector<Launch> fmha_forward_launches(const Problem& p) {
  using enum Tensor;
  const GridShape heads{GridKind::per_column_block, p.tiling.br, p.tiling.bc, false};  // one column block: a KV head
  return {{"fmha_forward", fmha_forward, heads, 256, true, {Q, K, V}, {O, P}}};
}

}  // namespace sim
