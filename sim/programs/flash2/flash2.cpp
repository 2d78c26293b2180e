// FlashAttention-2, forward. Each CTA owns one block of query rows and streams K and V past it; O, m and l stay in
// registers until the end. Dropout is applied after the sum l, which includes all of P. Under a pattern a CTA reads its
// row of the pattern, a byte for each block of keys, and visits only the blocks that it shows. A sink is a key that
// comes first, whose score is its logit and whose value is 0: rows begin with its m and l.
// Source: Dao 2023, Algorithm 1 (without the inverse misprinted in its line 10); for the pattern Dao et al. 2022,
// Algorithm 5.
#include "sim/programs/launches.h"
namespace sim {
namespace {
// clang-format off
void begin_with_sink(Cta& cta, const Hbm& hbm, RegVec& m, RegVec& l) {
  const RegVec sink = cta.load_vec(whole(hbm.sinks));  // its head's sink            (1)
  m = cta.max(m, sink);                                // m = max(m, sink)           (Br)
  l = cta.exp_sub(sink, m, Tensor::l);                 // l = exp(sink - m)          (Br)
}

void flash2_forward(Cta& cta, const Problem& p, BlockOrder keys) {
  const Hbm& hbm = p.hbm;
  if (p.ragged) cta.load_vec(whole(hbm.sequences));             // its sequence               (4)
  const Block& i = cta.row();                                   // row block of this CTA
  if (p.pattern()) cta.load_vec(row_of(hbm.mask_blocks, i));    // M_i                        (Tc)
  if (p.alibi()) cta.load_vec(whole(hbm.slopes));               // its head's slope           (1)
  SmemTile Q;
  if (cta.live(i)) Q = cta.load(block(hbm.Q, i));               // Q_i                        (Br, d)
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);                   // O = 0                      (Br, d)
  RegVec l = cta.vec(Tensor::l, i, 0);                          // l = 0                      (Br)
  RegVec m = cta.vec(Tensor::m, i, minus_infinity);             // m = -inf                   (Br)
  if (p.has_sinks()) begin_with_sink(cta, hbm, m, l);           // m, l of the sink
  for (const Block& j : cta.key_blocks(i, keys)) {              // column blocks that row block i sees
    if (p.paged()) cta.load_vec(pages_of(hbm.block_table, j));  // its pages                (Bc / P)
    SmemTile K = cta.load(block(hbm.K, j));                     // K_j                        (Bc, d)
    RegTile S = cta.gemm_nt(Q, K);                              // S = Q_i K_j^T              (Br, Bc)
    cta.scale(S, p.scale);                                      // S = scale S                (Br, Bc)
    if (p.modified()) cta.modify(S, i, j);                      // S = score steps of S       (Br, Bc)
    if (j.masked) cta.mask(S, i, j);                            // S = mask(S)                (Br, Bc)
    RegVec m_new = cta.row_max(S, m);                           // m' = max(m, rowmax(S))     (Br)
    RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);        // alpha = exp(m - m')        (Br)
    RegTile P = cta.exp_sub(std::move(S), m_new);               // P = exp(S - m')            (Br, Bc)
    l = cta.add_row_sum(l, alpha, P);                           // l = alpha l + rowsum(P)    (Br)
    m = std::move(m_new);                                       // m = m'                     (Br)
    if (p.dropout.any()) cta.dropout(P, i, j);                  // P = Z o P                  (Br, Bc)
    cta.scale_rows(O, alpha);                                   // O = diag(alpha) O          (Br, d)
    SmemTile V = cta.load(block(hbm.V, j));                     // V_j                        (Bc, d)
    cta.gemm_nn_add(O, P, V);                                   // O = O + P V_j              (Br, d)
  }
  cta.divide_rows(O, l);                                        // O = diag(l)^-1 O           (Br, d)
  RegVec L = cta.log_sum_exp(m, l);                             // L = m + log l              (Br)
  cta.store(O, block(hbm.O, i));                                // O_i                        (Br, d)
  cta.store(L, block(hbm.L, i));                                // L_i                        (Br)
}
// clang-format on
}  // namespace

std::vector<Launch> flash2_forward_launches(const Problem& p) {
  const auto keys = static_cast<BlockOrder>(p.own("keys"));
  std::vector<Tensor> inputs = {Tensor::Q, Tensor::K, Tensor::V};
  if (p.pattern()) inputs.push_back(Tensor::mask_blocks);
  return {{.name = p.pattern() ? "flash2_block_sparse_forward" : "flash2_forward",
           .body = [keys](Cta& kernel, const Problem& problem) { flash2_forward(kernel, problem, keys); },
           .grid = {GridKind::per_row_block, p.tiling.br, p.tiling.bc},
           .threads = 128,
           .round_p = p.dtype != Dtype::fp32,
           .inputs = std::move(inputs),
           .outputs = {Tensor::O, Tensor::L},
           .alternates = keys == BlockOrder::sawtooth}};
}

}  // namespace sim
