// FlashAttention-3, forward. A producer warpgroup copies K and V into rings, from the last block of keys to the first;
// each consumer warpgroup has 64 of the CTA's rows. Overlapped, it issues S of the next tile before O += P V of this
// one, so that softmax runs beside P V, and passes on its turn on the tensor cores. In turns (ping-pong), softmax runs
// beside products of other warpgroups; warp-specialised, as it comes; serial, consumers copy one tile ahead themselves.
// A sink is a key that comes first, whose score is its logit and whose value is 0: rows begin with its m and l.
// In e4m3 the producer transposes V as well, and blocks have scales: those of Q and K are factors of S, and that of V
// enters alpha, so that O is in units of the last one.
// Source: Shah et al. 2024, Algorithms 1 and 2, and the released code (flash-attention, hopper/).
#include "sim/programs/flash3/flash3.h"
namespace sim::flash3 {
namespace {
// clang-format off
void load_v(Cta& cta, const Problem& p, Shared& s, const Block& j, std::int64_t n) {
  s.V[n] = cta.load(block(p.hbm.V, j), s.V.full(n));  // V_j                        (Bc, d)
}

void load_scales(Cta& cta, const Problem& p, Shared& s, const Block& j, std::int64_t n) {
  s.scales_of(n).K = cta.load_vec(row_of(p.hbm.k_scale, j));  // s_K of block j   (1)
  s.scales_of(n).V = cta.load_vec(row_of(p.hbm.v_scale, j));  // s_V of block j   (1)
}

void load_scales_of_cta(Cta& cta, const Problem& p, Shared& s) {
  const bool block = scales_tiles(p);
  s.q_scale = cta.load_vec(block ? row_of(p.hbm.q_scale, cta.row()) : whole(p.hbm.q_scale));  // s_Q   (1)
  if (block) return;
  s.scales_of(0).K = cta.load_vec(whole(p.hbm.k_scale));                                      // s_K   (1)
  s.scales_of(0).V = cta.load_vec(whole(p.hbm.v_scale));                                      // s_V   (1)
  std::fill(s.scales.begin() + 1, s.scales.end(), s.scales[0]);
}

void transpose_v(Cta& cta, Shared& s, std::int64_t n) {
  s.VT[n] = cta.transpose(Tensor::VT, s.V[n]);  // V_j^T   (Bc, d)
  arrive(s.VT.full(n));
  s.V.release(n);
}

Warpgroup producer(Cta& cta, const Problem& p, Shared& s) {
  const Block& i = cta.row();                                            // row block of this CTA
  const bool late = s.own.schedule == Schedule::overlapped && !p.fp8();  // V_j after K of the next tile
  if (p.ragged) cta.load_vec(whole(p.hbm.sequences));                    // its sequence   (4)
  if (p.alibi()) cta.load_vec(whole(p.hbm.slopes));                      // its head's slope   (1)
  std::int64_t n = 0;
  Block before;                                                          // j of tile n - 1
  for (const Block& j : cta.key_blocks_down(i)) {                        // column blocks, last first
    if (p.paged()) cta.load_vec(pages_of(p.hbm.block_table, j));         // its pages          (Bc / P)
    co_await s.K.empty(n);
    if (scales_tiles(p)) load_scales(cta, p, s, j, n);
    s.K[n] = cta.load(block(p.hbm.K, j), s.K.full(n));                   // K_j   (Bc, d)
    if (n == 0 && s.own.persistent) co_await s.Q.empty(0);
    if (n == 0) s.Q[0] = cta.load(block(p.hbm.Q, i), s.Q.full(0));       // Q_i   (Br, d)
    const std::int64_t v = late ? n - 1 : n;                             // the tile whose V is next
    const Block& of_v = late ? before : j;
    if (v >= 0) co_await s.V.empty(v);
    if (v >= 0) load_v(cta, p, s, of_v, v);                              // V_j   (Bc, d)
    if (p.fp8() && n > 0) co_await s.V.full(n - 1);
    if (p.fp8() && n > 0) co_await s.VT.empty(n - 1);
    if (p.fp8() && n > 0) transpose_v(cta, s, n - 1);                    // VT = V_j^T of the tile before
    before = j;
    ++n;
  }
  if (p.fp8() && n > 0) co_await s.V.full(n - 1);
  if (p.fp8() && n > 0) co_await s.VT.empty(n - 1);
  if (p.fp8() && n > 0) transpose_v(cta, s, n - 1);
  if (late && n > 0) co_await s.V.empty(n - 1);
  if (late && n > 0) load_v(cta, p, s, before, n - 1);                   // V_j   (Bc, d)
}

Rows start(Cta& cta, const Problem& p, Shared& s, int w) {
  Rows r;
  r.i = warpgroup_rows(cta.row(), w);
  if (!s.P.empty()) r.place = &s.P[static_cast<std::size_t>(w)];
  r.O = cta.zeros(Tensor::O, r.i, p.hbm.O);       // O = 0      (64, d)
  r.m = cta.vec(Tensor::m, r.i, minus_infinity);  // m = -inf   (64)
  r.l = cta.vec(Tensor::l, r.i, 0);               // l = 0      (64)
  if (p.fp8()) r.q_scale = s.q_scale;             // s_Q        (1)
  if (!p.has_sinks()) return r;
  r.m = cta.max(r.m, s.sink);                     // m = max(m, sink)    (64)
  r.l = cta.exp_sub(s.sink, r.m, Tensor::l);      // l = exp(sink - m)   (64)
  return r;
}

void change_unit(Cta& cta, Rows& r) {
  if (r.tiles > 0) r.alpha = cta.in_units(r.alpha, r.unit, r.scales.V);  // alpha = alpha s_V of before / s_V   (64)
  r.unit = r.scales.V;
}

RegVec in_unit_of_output(Cta& cta, const Problem& p, const Rows& r) {
  if (!p.fp8() || r.tiles == 0) return r.l;
  return cta.in_units(r.l, e4m3_weights, r.scales.V);  // 2^8 l / s_V   (64)
}

RegTile softmax(Cta& cta, const Problem& p, Rows& r, const Block& j, RegTile S) {
  cta.scale(S, p.scale);                                // S = scale S                (64, Bc)
  if (p.fp8()) cta.scale_by(S, r.q_scale, r.scales.K);  // S = s_Q s_K S   (64, Bc)
  if (p.modified()) cta.modify(S, r.i, j);              // S = score steps of S       (64, Bc)
  if (j.masked) cta.mask(S, r.i, j);                    // S = mask(S)                (64, Bc)
  RegVec m_new = cta.row_max(S, r.m);                   // m' = max(m, rowmax(S))     (64)
  r.alpha = cta.exp_sub(r.m, m_new, Tensor::alpha);     // alpha = exp(m - m')        (64)
  RegTile P = cta.exp_sub(std::move(S), m_new);         // P = exp(S - m')            (64, Bc)
  r.l = cta.add_row_sum(r.l, r.alpha, P);               // l = alpha l + rowsum(P)    (64)
  if (scales_tiles(p)) change_unit(cta, r);
  r.m = std::move(m_new);                               // m = m'                     (64)
  if (r.place == nullptr) P.narrow();                   // P in the dtype
  ++r.tiles;
  return P;
}

void keep(Cta& cta, Rows& r, RegTile P) {
  if (r.place != nullptr) cta.put(P, *r.place);  // P to shared memory         (64, Bc)
  if (r.place == nullptr) r.P = std::move(P);
}

void finish(Cta& cta, const Problem& p, Rows& r) {
  const RegVec l = in_unit_of_output(cta, p, r);
  cta.divide_rows(r.O, l);               // O = diag(l)^-1 O           (64, d)
  RegVec L = cta.log_sum_exp(r.m, r.l);  // L = m + log l              (64)
  cta.store(r.O, block(p.hbm.O, r.i));   // O_i                        (64, d)
  cta.store(L, block(p.hbm.L, r.i));     // L_i                        (64)
}

void add_pv(Cta& cta, Shared& s, Rows& r, std::int64_t tile) {
  const AnyTile& V = s.values[tile];
  cta.wgmma_nn_add(r.O, r.operand(), V);  // O = O + P V_j        (64, d)
}

void scale_in_iteration_of(Cta& cta, Rows& r, const Block& j) {
  const IterationOf iteration(cta, j);
  cta.scale_rows(r.O, r.alpha);  // O = diag(alpha) O     (64, d)
}

Warpgroup overlapped(Cta& cta, const Problem& p, Shared& s, int w) {
  Rows r = start(cta, p, s, w);
  const bool turns = takes_turns(p), early = scales_early(p);
  const int next = (w + 1) % consumers(p);
  if (turns && w == 0) s.turns.pass_to(0);
  std::int64_t n = 0;
  Block before;                                            // j of tile n - 1
  if (cta.live(cta.row())) co_await s.Q.full(0);
  const AnyTile Q = cta.rows_of(s.Q[0], r.i);              // Q_i                        (64, d)
  for (const Block& j : cta.key_blocks_down(cta.row())) {  // column blocks, last first
    co_await s.K.full(n);
    if (n > 0 && turns) co_await s.turns.of(w);
    RegTile S = cta.wgmma_nt(Q, s.K[n]);                   // S = Q_i K_j^T              (64, Bc)
    if (n > 0 && early) scale_in_iteration_of(cta, r, before);
    if (n > 0) co_await s.values.full(n - 1);
    if (n > 0) add_pv(cta, s, r, n - 1);                   // O = O + P V_j              (64, d)
    if (n > 0 && turns) s.turns.pass_to(next, s.own.turns_await_products);
    cta.products(n > 0 ? 1 : 0);
    if (p.fp8()) r.scales = s.scales_of(n);
    s.K.release(n);
    RegTile P = softmax(cta, p, r, j, std::move(S));       // P = softmax(S), beside P V
    if (n > 0) cta.products(0);
    if (n > 0) s.values.release(n - 1);
    if (!early) cta.scale_rows(r.O, r.alpha);              // O = diag(alpha) O          (64, d)
    keep(cta, r, std::move(P));
    before = j;
    ++n;
  }
  if (n > 0 && s.own.persistent) s.Q.release(0);
  if (n > 0 && early) scale_in_iteration_of(cta, r, before);
  if (n > 0) co_await s.values.full(n - 1);
  if (n > 0) add_pv(cta, s, r, n - 1);                     // O = O + P V_j              (64, d)
  if (n > 0) cta.products(0);
  if (n > 0) s.values.release(n - 1);
  finish(cta, p, r);
}

Warpgroup in_turns(Cta& cta, const Problem& p, Shared& s, int w) {
  Rows r = start(cta, p, s, w);
  const bool live = cta.live(cta.row()), turns = live && takes_turns(p);
  const int next = (w + 1) % consumers(p);
  if (turns && w == 0) s.turns.pass_to(0);
  std::int64_t n = 0;
  if (live) co_await s.Q.full(0);
  const AnyTile Q = cta.rows_of(s.Q[0], r.i);              // Q_i                        (64, d)
  if (turns) co_await s.turns.of(w);
  for (const Block& j : cta.key_blocks_down(cta.row())) {  // column blocks, last first
    co_await s.K.full(n);
    RegTile S = cta.wgmma_nt(Q, s.K[n]);                   // S = Q_i K_j^T              (64, Bc)
    if (turns) s.turns.pass_to(next, s.own.turns_await_products);
    cta.products(0);
    if (p.fp8()) r.scales = s.scales_of(n);
    s.K.release(n);
    RegTile P = softmax(cta, p, r, j, std::move(S));       // P = softmax(S)
    cta.scale_rows(r.O, r.alpha);                          // O = diag(alpha) O          (64, d)
    keep(cta, r, std::move(P));
    co_await s.values.full(n);
    if (turns) co_await s.turns.of(w);
    cta.wgmma_nn_add(r.O, r.operand(), s.values[n]);       // O = O + P V_j              (64, d)
    cta.products(0);
    s.values.release(n);
    ++n;
  }
  if (turns) s.turns.pass_to(next);
  if (live && s.own.persistent) s.Q.release(0);
  finish(cta, p, r);
}

void attend(Cta& cta, const Problem& p, Shared& s, Rows& r, const Block& j, std::int64_t n) {
  const IterationOf iteration(cta, j);
  const AnyTile Q = cta.rows_of(s.Q[0], r.i);       // Q_i                        (64, d)
  if (p.fp8()) r.scales = s.scales_of(n);
  RegTile S = cta.wgmma_nt(Q, s.K[n]);              // S = Q_i K_j^T              (64, Bc)
  cta.products(0);
  RegTile P = softmax(cta, p, r, j, std::move(S));  // P = softmax(S)
  keep(cta, r, std::move(P));
  cta.scale_rows(r.O, r.alpha);                     // O = diag(alpha) O          (64, d)
  cta.wgmma_nn_add(r.O, r.operand(), s.values[n]);  // O = O + P V_j              (64, d)
  cta.products(0);
}

Warpgroup serial(Cta& cta, const Problem& p, Shared& s, int w) {
  Rows r = start(cta, p, s, w);
  if (p.ragged && w == 0) cta.load_vec(whole(p.hbm.sequences));                 // its sequence        (4)
  if (p.alibi() && w == 0) cta.load_vec(whole(p.hbm.slopes));                   // its head's slope    (1)
  std::int64_t n = 0;
  Block before;                                                                 // j of tile n - 1
  for (const Block& j : cta.key_blocks_down(cta.row())) {                       // column blocks, last first
    arrive(s.all.phase(n));
    co_await s.all.phase(n);                                                    // __syncthreads: tile n - 2 was read
    if (p.paged() && w == 0) cta.load_vec(pages_of(p.hbm.block_table, j));      // its pages           (Bc / P)
    if (scales_tiles(p) && w == 0) load_scales(cta, p, s, j, n);
    if (w == 0) s.K[n] = cta.load(block(p.hbm.K, j), s.K.full(n));              // K_j, a tile ahead   (Bc, d)
    if (w + n == 0) s.Q[0] = cta.load(block(p.hbm.Q, cta.row()), s.Q.full(0));  // Q_i                 (Br, d)
    if (w == 0) s.V[n] = cta.load(block(p.hbm.V, j), s.V.full(n));              // V_j, a tile ahead   (Bc, d)
    if (n == 0) co_await s.Q.full(0);
    if (n > 0) co_await s.K.full(n - 1);
    if (n > 0) co_await s.V.full(n - 1);
    if (p.fp8() && n > 0 && w == 0) transpose_v(cta, s, n - 1);
    if (p.fp8() && n > 0) co_await s.VT.full(n - 1);
    if (n > 0) attend(cta, p, s, r, before, n - 1);
    before = j;
    ++n;
  }
  if (n > 0) co_await s.K.full(n - 1);
  if (n > 0) co_await s.V.full(n - 1);
  if (p.fp8() && n > 0 && w == 0) transpose_v(cta, s, n - 1);
  if (p.fp8() && n > 0) co_await s.VT.full(n - 1);
  if (n > 0) attend(cta, p, s, r, before, n - 1);
  finish(cta, p, r);
}
// clang-format on
}  // namespace

void forward(Cta& cta, const Problem& p) {
  Shared s(cta, p);
  if (p.has_sinks()) s.sink = cta.load_vec(whole(p.hbm.sinks));  // its head's sink   (1)
  if (p.fp8()) load_scales_of_cta(cta, p, s);                    // its scales        (3)
  if (s.own.schedule == Schedule::serial) return run(cta, p, s, nullptr, serial);
  run(cta, p, s, producer, s.own.schedule == Schedule::overlapped ? overlapped : in_turns);
}

}  // namespace sim::flash3
