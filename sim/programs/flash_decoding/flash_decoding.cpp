// Flash-Decoding: attention of few queries over many keys. Row blocks alone would leave most SMs idle, so the keys are
// split as well: a CTA takes a row block and a part of the keys, and stores O_part, normalised, with its L_part. A
// second kernel reads the L of all parts, weights the parts by them and sums them; its loads of O_part do not wait for
// each other. If there are enough row blocks, there is one part and one kernel. With a single query, the query heads of
// a KV head are rows of one tile (the program's view of the shape). V may be the first columns of K: one load serves
// both, as in mla-decode, whose kernels these are too. Sinks join a row once, in the last kernel.
// Sources: Dao, Haziza, Massa and Sizov 2023, "Flash-Decoding for long-context inference"; flash-attention 2.
#include "sim/programs/launches.h"
namespace sim {
namespace {
// clang-format off
void begin_with_sinks(Cta& cta, const Hbm& hbm, const Block& i, RegVec& m, RegVec& l) {
  const RegVec sink = cta.load_vec(heads_of(hbm.sinks, i));  // sinks of its heads         (1)
  m = cta.max(m, sink);                                      // m = max(m, sink)           (Br)
  l = cta.exp_sub(sink, m, Tensor::l);                       // l = exp(sink - m)          (Br)
}
void flash_decoding_split(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  if (p.ragged) cta.load_vec(whole(hbm.sequences));              // its sequence             (4)
  const Block& i = cta.row();                                    // row block of this CTA
  const Block& s = cta.col();                                    // its part of the keys
  if (p.alibi()) cta.load_vec(heads_of(hbm.slopes, i));          // slopes of its heads      (1)
  SmemTile Q;
  if (cta.live(i, s)) Q = cta.load(block(hbm.Q, i));             // Q_i                        (Br, d)
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);                    // O = 0                      (Br, d)
  RegVec l = cta.vec(Tensor::l, i, 0);                           // l = 0                      (Br)
  RegVec m = cta.vec(Tensor::m, i, minus_infinity);              // m = -inf                   (Br)
  const bool joins = p.has_sinks() && p.parts == 0;              // no second kernel adds the sinks
  if (joins) begin_with_sinks(cta, hbm, i, m, l);                // m, l of the sinks
  for (const Block& j : cta.key_blocks(i, s)) {                  // column blocks of the part that row block i sees
    if (p.paged()) cta.load_vec(pages_of(hbm.block_table, j));   // its pages                 (Bc / P)
    SmemTile K = cta.load(block(hbm.K, j));                      // K_j                        (Bc, d)
    RegTile S = cta.gemm_nt(Q, K);                               // S = Q_i K_j^T              (Br, Bc)
    cta.scale(S, p.scale);                                       // S = scale S                (Br, Bc)
    if (p.modified()) cta.modify(S, i, j);                       // S = score steps of S       (Br, Bc)
    if (j.masked) cta.mask(S, i, j);                             // S = mask(S)                (Br, Bc)
    RegVec m_new = cta.row_max(S, m);                            // m' = max(m, rowmax(S))     (Br)
    RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);         // alpha = exp(m - m')        (Br)
    RegTile P = cta.exp_sub(std::move(S), m_new);                // P = exp(S - m')            (Br, Bc)
    l = cta.add_row_sum(l, alpha, P);                            // l = alpha l + rowsum(P)    (Br)
    m = std::move(m_new);                                        // m = m'                     (Br)
    if (p.dropout.any()) cta.dropout(P, i, j);                   // P = Z o P                  (Br, Bc)
    cta.scale_rows(O, alpha);                                    // O = diag(alpha) O          (Br, d)
    SmemTile V;
    if (p.kv_shared()) V = cta.columns_of(std::move(K), hbm.V);  // V_j = columns of K_j       (Bc, d)
    if (!p.kv_shared()) V = cta.load(block(hbm.V, j));           // V_j                        (Bc, d)
    cta.gemm_nn_add(O, P, V);                                    // O = O + P V_j              (Br, d)
  }
  cta.divide_rows(O, l);                                         // O = diag(l)^-1 O           (Br, d)
  RegVec L = cta.log_sum_exp(m, l);                              // L = m + log l              (Br)
  if (p.parts == 0) cta.store(O, block(hbm.O, i));               // O_i                        (Br, d)
  if (p.parts == 0) cta.store(L, block(hbm.L, i));               // L_i                        (Br)
  if (p.parts > 0) cta.store(O, part(hbm.O_part, i, s));         // O_is = O                   (Br, d)
  if (p.parts > 0) cta.store(L, part(hbm.L_part, i, s));         // L_is = L                   (Br)
}
void flash_decoding_combine(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  if (p.ragged) cta.load_vec(whole(hbm.sequences));               // its sequence               (4)
  const Block& i = cta.row();                                     // row block of this CTA
  RegTile L_part = cta.load_registers(block(hbm.L_part, i));      // L_i of all parts           (Br, Ns)
  RegVec m = cta.row_max(L_part);                                 // m = max_s L_is             (Br)
  RegVec l;
  if (p.has_sinks()) begin_with_sinks(cta, hbm, i, m, l);         // m = max(m, sink), l of the sinks
  RegTile W = cta.exp_sub(std::move(L_part), m);                  // W = exp(L_part - m)        (Br, Ns)
  if (p.has_sinks()) l = cta.add_row_sum(l, W);                   // l = l + rowsum(W)          (Br)
  if (!p.has_sinks()) l = cta.row_sum(W);                         // l = rowsum(W)              (Br)
  RegVec one = cta.vec(Tensor::l, i, 1);                          // 1                          (Br)
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);                     // O = 0                      (Br, d)
  for (const Block& s : cta.chunks(p.parts, 1)) {                 // parts of the keys, empty ones too
    RegVec beta = cta.column(W, s);                               // beta = W_s                 (Br)
    RegTile O_part = cta.load_registers(part(hbm.O_part, i, s));  // O_is                       (Br, d)
    cta.blend(O, one, l, O_part, beta, l);                        // O = O + beta / l O_is      (Br, d)
  }
  RegVec L = cta.log_sum_exp(m, l);                               // L = m + log l              (Br)
  cta.store(O, block(hbm.O, i));                                  // O_i                        (Br, d)
  cta.store(L, block(hbm.L, i));                                  // L_i                        (Br)
}
// clang-format on
/// Rows of a CTA of the combine kernel: few, since each of them reads all parts. Source: flash-attention 2.
std::int64_t combined_rows(const Problem& p) {
  const std::int64_t dv = p.kernel_dims.v, rows = dv % 128 == 0 ? 4 : dv % 64 == 0 ? 8 : 16;
  return std::min(rows, p.shape.seqlen_q);
}

/// Threads of a CTA: four warps, or eight if the registers of four do not hold its rows of O.
std::int64_t threads_of(const Problem& p) {
  constexpr std::int64_t most_of_four_warps = 64 * 256;
  return product(p.tiling.br, p.kernel_dims.v) > most_of_four_warps ? 256 : 128;
}

/// Buffers of K: a second one where V is a part of K, if it fits. K_j is held until the products with V_j end, and with
/// one buffer K_j+1 would not be loaded before.
std::int64_t buffers_of_keys(const Problem& p) {
  const std::int64_t rows = p.tiling.br + 2 * p.tiling.bc;
  const Bytes both(product(rows, p.kernel_dims.qk, size_of(p.dtype)));
  return p.kv_shared() && both <= p.row_capacity ? 2 : 1;
}

}  // namespace

std::vector<Launch> flash_decoding_launches(const Problem& p) {
  using enum Tensor;
  const Tiling& t = p.tiling;
  const bool round = p.dtype != Dtype::fp32;
  const std::vector<Tensor> inputs = p.kv_shared() ? std::vector{Q, K} : std::vector{Q, K, V};
  Launch first{"", flash_decoding_split, {}, threads_of(p), round, inputs};
  first.tiles_in_flight = buffers_of_keys(p);
  if (p.parts == 0) {
    first.name = "flash_decoding";
    first.grid = GridShape::split(t.br, t.bc, ceil_div(p.shape.seqlen_k, t.bc), 1);
    first.outputs = {O, L};
    return {first};
  }
  const std::int64_t key_blocks = ceil_div(ceil_div(p.shape.seqlen_k, t.bc), p.parts);
  const GridShape rows{GridKind::per_row_block, combined_rows(p), checked_multiply(key_blocks, t.bc), false};
  first.name = "flash_decoding_split";
  first.grid = GridShape::split(t.br, t.bc, key_blocks, p.parts);
  first.outputs = {O_part, L_part};
  return {first,
          {.name = "flash_decoding_combine",
           .body = flash_decoding_combine,
           .grid = rows,
           .round_p = round,
           .inputs = {O_part, L_part},
           .outputs = {O, L},
           .tiles_in_flight = unrolled_iterations}};
}

}  // namespace sim
