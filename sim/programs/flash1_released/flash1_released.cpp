// FlashAttention-1 as released, forward: the choices of the 2022 code where Algorithm 1 leaves them open. One CTA per
// head; K in SMEM and V in registers while all queries stream past, 16 rows at a time. Between passes O is kept in HBM
// in fp32, normalised, with L instead of l and m; the first pass reads neither, the last writes O itself.
// Source: Dao et al., flash-attention 0.2, fmha_fprop_kernel_1xN.h and fmha_api.cpp.
// Inaccuracies: --causal is aligned bottom-right, in that code top-left: equal if Nq = Nk. Dropout scales P in each
// pass, in that code O after the last one. Keys are not split over warps, whose sums of O cross SMEM there.
#include "sim/programs/flash1_released/tensors.h"
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
void flash1_released_forward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  if (p.alibi()) cta.load_vec(whole(hbm.slopes));      // its head's slope            (1)
  for (const Block& j : cta.live_key_blocks()) {       // column blocks: a pass over the queries
    const bool first = j.index() == 0;                 // every row is in it
    SmemTile K = cta.load(block(hbm.K, j));            // K_j                         (Bc, d)
    RegTile V = cta.load_registers(block(hbm.V, j));   // V_j                         (Bc, d)
    for (const Block& i : cta.query_visits(j)) {       // row blocks that see j
      SmemTile Q = cta.load(block(hbm.Q, i));          // Q_i                         (Br, d)
      RegVec L;
      if (!first) L = cta.load_vec(block(hbm.L, i));   // L_i                         (Br)
      RegTile S = cta.gemm_nt(Q, K);                   // S = Q_i K_j^T               (Br, Bc)
      cta.scale(S, p.scale);                           // S = scale S                 (Br, Bc)
      if (p.modified()) cta.modify(S, i, j);           // S = score steps of S        (Br, Bc)
      if (i.masked) cta.mask(S, i, j);                 // S = mask(S)                 (Br, Bc)
      RegVec m = cta.row_max(S);                       // m = rowmax(S)               (Br)
      if (!first) m = cta.max(m, L);                   // m = max(m, L)               (Br)
      RegTile P = cta.exp_sub(std::move(S), m);        // P = exp(S - m)              (Br, Bc)
      RegVec l;
      RegTile O;
      if (first) {                                     // this is the first pass
        l = cta.vec(Tensor::l, i, 0);                  // l = 0                       (Br)
        O = cta.zeros(Tensor::O, i, hbm.O);            // O = 0                       (Br, d)
      } else {
        l = cta.exp_sub(L, m, Tensor::l);              // l = exp(L - m)              (Br)
        O = cta.load_registers(block(hbm[O_tmp], i));  // O_i in fp32                 (Br, d)
        cta.scale_rows(O, l);                          // O = diag(l) O               (Br, d)
      }
      l = cta.add_row_sum(l, P);                       // l = l + rowsum(P)           (Br)
      if (p.dropout.any()) cta.dropout(P, i, j);       // P = Z o P                   (Br, Bc)
      cta.gemm_nn_add(O, P, V);                        // O = O + P V_j               (Br, d)
      cta.divide_rows(O, l);                           // O = diag(l)^-1 O            (Br, d)
      RegVec L_new = cta.log_sum_exp(m, l);            // L = m + log l               (Br)
      cta.store(L_new, block(hbm.L, i));               // L_i                         (Br)
      if (i.last) {                                    // there is no later pass
        cta.store(O, block(hbm.O, i));                 // O_i                         (Br, d)
      } else {
        cta.store(O, block(hbm[O_tmp], i));            // O_i in fp32                 (Br, d)
      }
    }
  }
}
// clang-format on
}  // namespace

std::vector<Launch> flash1_released_forward_launches(const Problem& p) {
  using enum Tensor;
  const bool one_pass = p.shape.seqlen_k <= p.tiling.bc;
  return {{.name = "flash1_released_forward",
           .body = flash1_released_forward,
           .grid = {GridKind::per_head, p.tiling.br, p.tiling.bc},
           .threads = 128,
           .round_p = true,
           .inputs = {Q, K, V},
           .outputs = {O, L},
           .scratch = one_pass ? std::vector<Tensor>{} : std::vector{O_tmp}}};
}

}  // namespace sim
