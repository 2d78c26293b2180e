// FlashDecoding++: Flash-Decoding with one maximum for all rows, phi, which is known before the first score. So a row
// needs no maximum, no factor alpha, and parts of the keys only add: O_part is not normalised, and l_part takes the
// place of L_part. The price is a range: exp(x - phi) is exact enough only for low < x - phi < high. A row block with
// another score stores l = infinity and is computed again by the kernels of flash-decoding, which synchronise.
// Source: Hong et al. 2024, "FlashDecoding++: Faster Large Language Model Inference on GPUs", section 3.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/programs/flash_decoding/flash_decoding.h"
#include "sim/programs/launches.h"
namespace sim {
namespace {
// clang-format off
void flash_decoding_plus_split(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  if (p.ragged) cta.load_vec(whole(hbm.sequences));       // its sequence             (4)
  const Block& i = cta.row();                             // row block of this CTA
  const Block& s = cta.col();                             // its part of the keys
  if (p.alibi()) cta.load_vec(heads_of(hbm.slopes, i));   // slopes of its heads      (1)
  SmemTile Q;
  if (cta.live(i, s)) Q = cta.load(block(hbm.Q, i));      // Q_i                        (Br, d)
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);             // O = 0                      (Br, d)
  RegVec l = cta.vec(Tensor::l, i, 0);                    // l = 0                      (Br)
  RegVec m = cta.vec(Tensor::m, i, p.phi);                // m = phi                    (Br)
  RegVec ok = cta.vec(Tensor::l, i, 1);                   // ok = 1                     (Br)
  for (const Block& j : cta.key_blocks(i, s)) {           // column blocks of the part that row block i sees
    SmemTile K = cta.load(block(hbm.K, j));               // K_j                        (Bc, d)
    RegTile S = cta.gemm_nt(Q, K);                        // S = Q_i K_j^T              (Br, Bc)
    cta.scale(S, p.scale);                                // S = scale S                (Br, Bc)
    if (p.modified()) cta.modify(S, i, j);                // S = score steps of S       (Br, Bc)
    if (j.masked) cta.mask(S, i, j);                      // S = mask(S)                (Br, Bc)
    ok = cta.in_range(S, m, p.low, p.high, ok);           // ok = low < S - phi < high  (Br)
    RegTile P = cta.exp_sub(std::move(S), m);             // P = exp(S - phi)           (Br, Bc)
    l = cta.add_row_sum(l, P);                            // l = l + rowsum(P)          (Br)
    if (p.dropout.any()) cta.dropout(P, i, j);            // P = Z o P                  (Br, Bc)
    SmemTile V = cta.load(block(hbm.V, j));               // V_j                        (Bc, d)
    cta.gemm_nn_add(O, P, V);                             // O = O + P V_j              (Br, d)
  }
  l = cta.or_infinity(l, ok);                             // l = infinity where not ok  (Br)
  if (p.parts > 0) cta.store(O, part(hbm.O_part, i, s));  // O_is = O                   (Br, d)
  if (p.parts > 0) cta.store(l, part(hbm.l_part, i, s));  // l_is = l                   (Br)
  if (p.parts > 0) return;
  cta.divide_rows(O, l);                                  // O = diag(l)^-1 O           (Br, d)
  RegVec L = cta.log_sum_exp(m, l);                       // L = phi + log l            (Br)
  cta.store(O, block(hbm.O, i));                          // O_i                        (Br, d)
  cta.store(L, block(hbm.L, i));                          // L_i                        (Br)
}
void flash_decoding_plus_combine(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  if (p.ragged) cta.load_vec(whole(hbm.sequences));               // its sequence               (4)
  const Block& i = cta.row();                                     // row block of this CTA
  RegTile l_part = cta.load_registers(block(hbm.l_part, i));      // l_i of all parts           (Br, Ns)
  RegVec l = cta.row_sum(l_part);                                 // l = sum_s l_is             (Br)
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);                     // O = 0                      (Br, d)
  for (const Block& s : cta.chunks(p.parts, 1)) {                 // parts of the keys, empty ones too
    RegTile O_part = cta.load_registers(part(hbm.O_part, i, s));  // O_is                       (Br, d)
    cta.add(O, O_part);                                           // O = O + O_is               (Br, d)
  }
  cta.divide_rows(O, l);                                          // O = diag(l)^-1 O           (Br, d)
  RegVec m = cta.vec(Tensor::m, i, p.phi);                        // m = phi                    (Br)
  RegVec L = cta.log_sum_exp(m, l);                               // L = phi + log l            (Br)
  cta.store(O, block(hbm.O, i));                                  // O_i                        (Br, d)
  cta.store(L, block(hbm.L, i));                                  // L_i                        (Br)
}
// clang-format on
/// True if the row block of these rows has a score out of range, by the sums of its parts, or by its L if there are
/// none. A sum that overflows counts as well.
bool is_out_of_range(const Problem& p, const Block& rows) {
  const HbmTensor& sums = p.parts > 0 ? p.hbm.l_part : p.hbm.L;
  const Blocking blocks{p.shape.seqlen_q, p.tiling.br};
  const Interval queries = blocks.elements(rows.axis.begin / p.tiling.br);
  const float* const first = sums.values;
  return std::any_of(first + queries.begin * sums.cols, first + queries.end * sums.cols,
                     [](float sum) { return std::isinf(sum) && sum > 0; });
}

}  // namespace

std::vector<Launch> flash_decoding_plus_launches(const Problem& p) {
  using enum Tensor;
  const std::vector<Launch> synchronised = flash_decoding_launches(p);
  std::vector<Launch> launches = synchronised;
  launches[0].name = p.parts > 0 ? "flash_decoding_plus_split" : "flash_decoding_plus";
  launches[0].body = flash_decoding_plus_split;
  if (p.parts > 0) {
    launches[0].outputs = {O_part, l_part};
    launches[1].name = "flash_decoding_plus_combine";
    launches[1].body = flash_decoding_plus_combine;
    launches[1].inputs = {O_part, l_part};
  }
  for (Launch again : synchronised) {
    again.needed = is_out_of_range;
    again.listing = "programs/flash_decoding/flash_decoding.cpp";
    if (!again.reads(Q)) again.grid.br = std::gcd(again.grid.br, p.tiling.br);  // its rows are of one row block
    launches.push_back(std::move(again));
  }
  return launches;
}

}  // namespace sim
