// FlashAttention-3, backward: the kernel between flash2's first and last one. Each CTA owns a block of keys. A producer
// copies K and V once, then Q, dO and their statistics into rings; consumers compute; one warp writes dQ: it adds each
// consumer's part to dQ_acc (fp32) in HBM, out of shared memory. Up to d 128 a consumer has 64 keys of S, dK and dV,
// above it a part of S and of the columns of dK and dV, so that P too passes through shared memory; at d 256 dQ goes
// out by atomics from registers. One CTA takes all query heads of a KV head in turn; the released code gives each its
// own, and sums dK and dV by two more kernels. It takes no turns, and no second row block. Source: Shah et al. 2024,
// Algorithm 3, and the released code (flash-attention, hopper/).
#include "sim/programs/flash3/flash3_backward.h"
namespace sim::flash3_backward {
namespace {
// clang-format off
Warpgroup producer(Cta& cta, const Problem& p, Shared& s) {
  const Hbm& hbm = p.hbm;
  const Block& j = cta.col();                                        // column block of this CTA
  if (p.ragged) cta.load_vec(whole(hbm.sequences));                  // its sequence        (4)
  if (cta.seen(j)) s.K[0] = cta.load(block(hbm.K, j), s.K.full(0));  // K_j                 (Bc, d)
  if (cta.seen(j)) s.V[0] = cta.load(block(hbm.V, j), s.V.full(0));  // V_j                 (Bc, d)
  std::int64_t n = 0;
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {        // query heads of the group
    if (p.alibi()) cta.load_vec(whole(hbm.slopes));                  // its slope           (1)
    for (const Block& i : cta.query_blocks(j)) {                     // row blocks that see column block j
      co_await s.Q.empty(n);
      s.Q[n] = cta.load(block(hbm.Q, i), s.Q.full(n));               // Q_i                 (Br, d)
      s.L[n] = cta.load(block(hbm.L, i), s.Q.full(n));               // L_i                 (Br)
      co_await s.dO.empty(n);
      s.dO[n] = cta.load(block(hbm.dO, i), s.dO.full(n));            // dO_i                (Br, d)
      s.D[n] = cta.load(block(hbm.D, i), s.dO.full(n));              // D_i                 (Br)
      ++n;
    }
  }
}

Warpgroup writer(Cta& cta, const Problem& p, Shared& s) {
  std::int64_t n = 0;
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {  // query heads of the group
    for (const Block& i : cta.query_blocks(cta.col())) {       // row blocks that see column block j
      for (const int& w : s.parts) {                           // parts of the consumers
        co_await s.dq_of(w).full(n);
        const HbmBlock part = block(p.hbm.dQ_acc, s.rows_of_dq(i, w), s.cols_of_dq(w));
        cta.reduce(s.dq_of(w)[n], part, s.dq_of(w).read(n));   // dQ_acc_i = dQ_acc_i + dQ   (Br, d)
      }
      ++n;
    }
  }
}

RegTile weights(Cta& cta, const Problem& p, const AnyTile& L, const Block& i, const Block& j, RegTile& S, RegTile& G) {
  cta.scale(S, p.scale);                                  // S = scale S                (Br, Bc)
  if (p.modified()) G = cta.modify_with_slopes(S, i, j);  // S, G = score steps of S    (Br, Bc)
  if (i.masked) cta.mask(S, i, j);                        // S = mask(S)                (Br, Bc)
  return cta.exp_sub(std::move(S), cta.column(L, {}));    // P = exp(S - L_i)           (Br, Bc)
}

RegTile gradients(Cta& cta, const Problem& p, const AnyTile& D, RegTile& P, RegTile& dP, RegTile& G) {
  RegTile dS = cta.jacobian(P, std::move(dP), cta.column(D, {}));  // dS = P o (dP - D_i)        (Br, Bc)
  if (p.sloped()) cta.multiply(dS, std::move(G));                  // dS = G o dS                (Br, Bc)
  P.narrow();                                                      // P in the dtype
  dS.narrow();                                                     // dS in the dtype
  return dS;
}

void add_dv(Cta& cta, Shared& s, Part& r, const RegTile& in_registers, int w, std::int64_t n) {
  const AnyTile& P = s.P.empty() ? static_cast<const AnyTile&>(in_registers) : s.P[0];
  cta.wgmma_tn_add(r.dV, P, cta.cols_of(s.dO[n], s.cols_of_dk(w)));  // dV_j = dV_j + P^T dO_i     (Bc, d)
}

void add_dk(Cta& cta, Shared& s, Part& r, const RegTile& in_registers, int w, std::int64_t n) {
  const AnyTile& dS = s.P.empty() ? static_cast<const AnyTile&>(in_registers) : s.stage_of_ds(n);
  cta.wgmma_tn_add(r.dK, dS, cta.cols_of(s.Q[n], s.cols_of_dk(w)));  // dK_j = dK_j + dS^T Q_i     (Bc, d)
}

RegTile part_of_dq(Cta& cta, Shared& s, const Block& i, int w, std::int64_t n, int slice) {
  const AnyTile dS = cta.rows_of(s.stage_of_ds(n), s.rows_of_dq(i, w)), K = cta.cols_of(s.K[0], s.cols_of_dq(w, slice));
  return cta.wgmma_nn(Tensor::dQ, dS, K);  // dQ = dS K_j                (Br, d)
}

void add_dq(Cta& cta, const Problem& p, Shared& s, const Block& i, int w, std::int64_t n) {
  for (const int& slice : {0, 1}) {  // halves of its part
    const RegTile dQ = part_of_dq(cta, s, i, w, n, slice);
    cta.products(0);
    const HbmBlock part = block(p.hbm.dQ_acc, i, s.cols_of_dq(w, slice));
    cta.atomic_add(dQ, part);        // dQ_acc_i = dQ_acc_i + dQ   (Br, d)
  }
}

Warpgroup consumer(Cta& cta, const Problem& p, Shared& s, int w) {
  const Block& j = cta.col();
  const Block rows = s.rows_of_dk(j, w), cols = s.cols_of_dk(w);
  Part r;
  r.keys = s.keys(j, w);                                       // its keys of column block j
  r.dK = cta.zeros(Tensor::dK, rows, cols);                    // dK_j = 0                   (Bc, d)
  r.dV = cta.zeros(Tensor::dV, rows, cols);                    // dV_j = 0                   (Bc, d)
  if (cta.seen(j)) co_await s.K.full(0);
  if (cta.seen(j)) co_await s.V.full(0);
  const AnyTile K = cta.rows_of(s.K[0], r.keys), V = cta.rows_of(s.V[0], r.keys);
  std::int64_t n = 0;
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {  // query heads of the group
    for (const Block& i : cta.query_blocks(j)) {               // row blocks that see column block j
      co_await s.Q.full(n);
      RegTile S = cta.wgmma_nt(s.Q[n], K);                     // S = Q_i K_j^T              (Br, Bc)
      co_await s.dO.full(n);
      RegTile dP = cta.wgmma_nt(Tensor::dP, s.dO[n], V);       // dP = dO_i V_j^T            (Br, Bc)
      RegTile G;                                               // derivatives of the score steps
      cta.products(1);
      RegTile P = weights(cta, p, s.L[n], i, r.keys, S, G);    // P = exp(S - L_i), beside dP
      cta.products(0);
      if (!s.P.empty()) cta.put(P, s.P[0], j);                 // P to shared memory         (Br, Bc)
      const RegTile dS = gradients(cta, p, s.D[n], P, dP, G);  // dS = P o (dP - D_i)
      if (!s.P.empty()) arrive(s.put_p.phase(n));
      if (!s.P.empty()) co_await s.put_p.phase(n);             // P is there; dS of the tile before was read
      cta.put(dS, s.stage_of_ds(n), j);                        // dS to shared memory        (Br, Bc)
      add_dv(cta, s, r, P, w, n);                              // dV_j = dV_j + P^T dO_i
      arrive(s.put_ds.phase(n));
      co_await s.put_ds.phase(n);                              // dS of all consumers is there
      if (s.dQ.empty()) {                                      // there is no writer
        add_dq(cta, p, s, i, w, n);                            // dQ_acc_i = dQ_acc_i + dS K_j
        s.dO.release(n);
        add_dk(cta, s, r, dS, w, n);                           // dK_j = dK_j + dS^T Q_i
      } else {
        const RegTile dQ = part_of_dq(cta, s, i, w, n, 0);     // dQ = dS K_j
        cta.products(1);                                       // dV is there
        s.dO.release(n);
        add_dk(cta, s, r, dS, w, n);                           // dK_j = dK_j + dS^T Q_i
        cta.products(1);                                       // dQ is there
        co_await s.dq_of(w).empty(n);
        s.dq_of(w)[n] = cta.put(Tensor::dQ_acc, dQ);           // dQ to shared memory        (Br, d)
        arrive(s.dq_of(w).full(n));
      }
      cta.products(0);
      s.Q.release(n);
      ++n;
    }
  }
  cta.scale(r.dK, p.scale);                                    // dK_j = scale dK_j          (Bc, d)
  cta.store(r.dK, block(p.hbm.dK, rows, cols));                // dK_j                       (Bc, d)
  cta.store(r.dV, block(p.hbm.dV, rows, cols));                // dV_j                       (Bc, d)
}
// clang-format on
}  // namespace

void body(Cta& cta, const Problem& p) {
  Shared s(cta, p);
  run(cta, p, s, producer, writer, consumer);
}

}  // namespace sim::flash3_backward
