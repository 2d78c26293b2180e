// Attention in two passes over the keys, forward: the first computes L_i of a block of rows, the second sums O_i with
// weights that need no rescaling. A program for tests only, with everything that the catalogue needs
// in one file.
#include "sim/programs/kernel_form.h"
#include "sim/programs/launches.h"

namespace two_pass {

std::string_view embedded_text(std::string_view path);

namespace {

using namespace sim;
// clang-format off
void two_pass_forward(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& i = cta.row();                             // row block of this CTA
  SmemTile Q;
  if (cta.live(i)) Q = cta.load(block(hbm.Q, i));         // Q_i                        (Br, d)
  RegVec l = cta.vec(Tensor::l, i, 0);                    // l = 0                      (Br)
  RegVec m = cta.vec(Tensor::m, i, minus_infinity);       // m = -inf                   (Br)
  for (const Block& j : cta.key_blocks(i)) {              // column blocks, first pass
    SmemTile K = cta.load(block(hbm.K, j));               // K_j                        (Bc, d)
    RegTile S = cta.gemm_nt(Q, K);                        // S = Q_i K_j^T              (Br, Bc)
    cta.scale(S, p.scale);                                // S = scale S                (Br, Bc)
    if (j.masked) cta.mask(S, i, j);                      // S = mask(S)                (Br, Bc)
    RegVec m_new = cta.row_max(S, m);                     // m' = max(m, rowmax(S))     (Br)
    RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);  // alpha = exp(m - m')        (Br)
    RegTile P = cta.exp_sub(std::move(S), m_new);         // P = exp(S - m')            (Br, Bc)
    l = cta.add_row_sum(l, alpha, P);                     // l = alpha l + rowsum(P)    (Br)
    m = std::move(m_new);                                 // m = m'                     (Br)
  }
  RegVec L = cta.log_sum_exp(m, l);                       // L = m + log l              (Br)
  cta.store(L, block(hbm.L, i));                          // L_i                        (Br)
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);             // O = 0                      (Br, d)
  for (const Block& j : cta.key_blocks(i)) {              // column blocks, second pass
    SmemTile K = cta.load(block(hbm.K, j));               // K_j                        (Bc, d)
    RegTile S = cta.gemm_nt(Q, K);                        // S = Q_i K_j^T              (Br, Bc)
    cta.scale(S, p.scale);                                // S = scale S                (Br, Bc)
    if (j.masked) cta.mask(S, i, j);                      // S = mask(S)                (Br, Bc)
    RegTile P = cta.exp_sub(std::move(S), m);             // P = exp(S - m)             (Br, Bc)
    if (p.dropout.any()) cta.dropout(P, i, j);            // P = Z o P                  (Br, Bc)
    SmemTile V = cta.load(block(hbm.V, j));               // V_j                        (Bc, d)
    cta.gemm_nn_add(O, P, V);                             // O = O + P V_j              (Br, d)
  }
  cta.divide_rows(O, l);                                  // O = diag(l)^-1 O           (Br, d)
  cta.store(O, block(hbm.O, i));                          // O_i                        (Br, d)
}
// clang-format on
std::vector<Launch> launches(const Problem& p) {
  return {{.name = "two_pass_forward",
           .body = two_pass_forward,
           .grid = {GridKind::per_row_block, p.tiling.br, p.tiling.bc},
           .round_p = p.dtype != Dtype::fp32,
           .inputs = {Tensor::Q, Tensor::K, Tensor::V},
           .outputs = {Tensor::O, Tensor::L}}};
}

constexpr Tiling tiling(const TilingCase& c) {
  return shrink({{1, 0}, {1, 1}, 1, {0, 1}, {0, 0}}, {64, 64}, c.element_bytes, c.dims,
                c.chip);  // Q_i | K_j, V_j | S | O_i
}

KernelForm forward_form(const Problem& p) {
  using namespace form;
  using form::read, form::write;  // the C library has functions of these names
  return with_dropout(p,
                      {{{Tensor::Q, read, matrix, "B H Rq d e"},
                        {Tensor::K, read, matrix, "2 B H Ak d e"},
                        {Tensor::V, read, matrix, "B H Ak dv e"},
                        {Tensor::L, write, statistics, "4 B H Nq"},
                        {Tensor::O, write, matrix, "B H Nq dv e"}},
                       {{"matmul_flops", "Q K^T twice, P V", "2 B H A (2d+dv)"},
                        {"other_flops", "scale, max, subtraction, sum; scale, subtraction", "6 B H A"},
                        {"other_flops", "O / l", "B H Nq dv"},
                        {"exp_count", "P in each pass", "2 B H A"}}},
                      dropout);
}

std::span<const NamedForm> forms() {
  static constexpr NamedForm all[] = {{"two_pass_forward", forward_form}};
  return all;
}

const bool added = add_program({.name = "two-pass",
                                .title = "Attention in two passes",
                                .short_title = "Two-pass",
                                .summary = "Q outside, K twice: nothing is rescaled",
                                .typed = "2p",
                                .forward = {"two_pass.cpp", "a test", tiling, launches},
                                .forms = forms,
                                .text = embedded_text});

}  // namespace
}  // namespace two_pass
