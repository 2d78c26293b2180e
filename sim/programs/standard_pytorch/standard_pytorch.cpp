// Standard attention as PyTorch runs it where no fused kernel is taken, forward: a kernel for each operation, without
// dropout. The scale is in Q and K, its root in each. After the softmax come three kernels for rows that see no key:
// which scores are -inf, whether a row has only such, and 0 in its place. The causal mask is a matrix that is added.
// Source: PyTorch 2.5 to 2.11, aten/src/ATen/native/transformers/attention.cpp, _scaled_dot_product_attention_math and
// _safe_softmax; newer ones write the comparison as isneginf and select in place, which moves the same bytes.
// Inaccuracies: the causal mask is aligned bottom-right, there top-left: the same where Nq = Nk. It is made once for
// all heads, by kernels that are left out. Two bytes stay two bytes, as after allow_fp16_bf16_reduction_math_sdp(True);
// by itself PyTorch computes in fp32 from 2.5 on. Rows too long for shared memory are read twice, there three times.
#include <cmath>

#include "sim/programs/launches.h"
#include "sim/programs/standard_pytorch/tensors.h"

namespace sim {
namespace {
// clang-format off
void scale_q(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  SmemTile Q = cta.load(block(p.hbm.Q, i));                            // Q_i                        (Br, d)
  cta.scale(Q, std::copysign(std::sqrt(std::abs(p.scale)), p.scale));  // Q = sqrt(scale) Q          (Br, d)
  cta.store(Q, block(p.hbm[Q_scaled], i));                             // Q_scaled_i                 (Br, d)
}

void scale_k(Cta& cta, const Problem& p) {
  const Block& j = cta.col();
  SmemTile K = cta.load(block(p.hbm.K, j));    // K_j                        (Bc, d)
  cta.scale(K, std::sqrt(std::abs(p.scale)));  // K = sqrt(scale) K          (Bc, d)
  cta.store(K, block(p.hbm[K_scaled], j));     // K_scaled_j                 (Bc, d)
}

void qk_bmm(Cta& cta, const Problem& p) {
  const Block &i = cta.row(), &j = cta.col();                            // output tile of this CTA
  RegTile S = cta.zeros(Tensor::S, i, j);                                // S = 0                      (Br, Bc)
  for (const Block& c : cta.chunks(p.shape.head_dim, p.tiling.slice)) {  // slices of d
    SmemTile Q = cta.load(block(p.hbm[Q_scaled], i, c));                 // Q_ic                       (Br, 32)
    SmemTile K = cta.load(block(p.hbm[K_scaled], j, c));                 // K_jc                       (Bc, 32)
    cta.gemm_nt_add(S, Q, K);                                            // S = S + Q_ic K_jc^T        (Br, Bc)
  }
  cta.store(S, block(p.hbm.S, i, j));                                    // S_ij                       (Br, Bc)
}

void add_bias(Cta& cta, const Problem& p) {
  const Block &i = cta.row(), &j = cta.col();
  SmemTile S = cta.load(block(p.hbm.S, i, j));      // S_ij                       (Br, Bc)
  SmemTile M = cta.load(block(p.hbm[bias], i, j));  // M_ij                       (Br, Bc), of all heads
  cta.add_mask(S, M, i, j);                         // S = S + M                  (Br, Bc)
  cta.store(S, block(p.hbm.S_masked, i, j));        // S_masked_ij                (Br, Bc)
}

const HbmTensor& masked_scores(const Problem& p) { return p.shape.mask.any() ? p.hbm.S_masked : p.hbm.S; }

void softmax_row(Cta& cta, const Problem& p) {
  const Block& i = cta.row();                         // one row
  SmemTile S = cta.load(block(masked_scores(p), i));  // S_i                        (1, N)
  RegVec m = cta.row_max(S);                          // m = rowmax(S)              (1)
  SmemTile P = cta.exp_sub(std::move(S), m);          // P = exp(S - m)             (1, N)
  RegVec l = cta.row_sum(P);                          // l = rowsum(P)              (1)
  cta.divide_rows(P, l);                              // P = diag(l)^-1 P           (1, N)
  cta.store(P, block(p.hbm[P_soft], i));              // P_soft_i                   (1, N)
}

void softmax_long_row(Cta& cta, const Problem& p) {
  const Block& i = cta.row();                                         // one row, too long for SMEM
  RegVec l = cta.vec(Tensor::l, i, 0);                                // l = 0                      (1)
  RegVec m = cta.vec(Tensor::m, i, minus_infinity);                   // m = -inf                   (1)
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.bc)) {  // column blocks, first pass: statistics
    SmemTile S = cta.load(block(masked_scores(p), i, j));             // S_ij                       (1, Bc)
    RegVec m_new = cta.row_max(S, m);                                 // m' = max(m, rowmax(S))     (1)
    RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);              // alpha = exp(m - m')        (1)
    SmemTile P = cta.exp_sub(std::move(S), m_new);                    // P = exp(S - m')            (1, Bc)
    l = cta.add_row_sum(l, alpha, P);                                 // l = alpha l + rowsum(P)    (1)
    m = std::move(m_new);                                             // m = m'                     (1)
  }
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.bc)) {  // column blocks, second pass: probabilities
    SmemTile S = cta.load(block(masked_scores(p), i, j));             // S_ij                       (1, Bc)
    SmemTile P = cta.exp_sub(std::move(S), m);                        // P = exp(S - m)             (1, Bc)
    cta.divide_rows(P, l);                                            // P = diag(l)^-1 P           (1, Bc)
    cta.store(P, block(p.hbm[P_soft], i, j));                         // P_soft_ij                  (1, Bc)
  }
}

void compare(Cta& cta, const Problem& p) {
  const Block &i = cta.row(), &j = cta.col();
  SmemTile S = cta.load(block(masked_scores(p), i, j));  // S_ij                       (Br, Bc)
  SmemTile Z = cta.equals(hidden, S, minus_infinity);    // Z = (S = -inf)             (Br, Bc)
  cta.store(Z, block(p.hbm[hidden], i, j));              // hidden_ij                  (Br, Bc), bytes
}

void all_hidden(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  RegVec e = cta.vec(empty, i, 1);                                    // e = 1                      (Br)
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.bc)) {  // column blocks
    SmemTile Z = cta.load(block(p.hbm[hidden], i, j));                // Z_ij                       (Br, Bc), bytes
    e = cta.row_all(e, Z);                                            // e = min(e, rowmin(Z))      (Br)
  }
  cta.store(e, block(p.hbm[empty], i));                               // empty_i                    (Br), bytes
}

void select(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  RegVec e = cta.load_vec(block(p.hbm[empty], i));                    // e                          (Br), bytes
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.bc)) {  // column blocks
    SmemTile P = cta.load(block(p.hbm[P_soft], i, j));                // P_soft_ij                  (Br, Bc)
    cta.clear_rows(P, e);                                             // P = diag(1 - e) P          (Br, Bc)
    cta.store(P, block(p.hbm.P, i, j));                               // P_ij                       (Br, Bc)
  }
}

void pv_bmm(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  RegTile O = cta.zeros(Tensor::O, i, p.hbm.O);                          // O = 0                      (Br, d)
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.slice)) {  // slices of N
    SmemTile P = cta.load(block(p.hbm.P, i, j));                         // P_ij                       (Br, 32)
    SmemTile V = cta.load(block(p.hbm.V, j));                            // V_j                        (32, d)
    cta.gemm_nn_add(O, P, V);                                            // O = O + P_ij V_j           (Br, d)
  }
  cta.store(O, block(p.hbm.O, i));                                       // O_i                        (Br, d)
}
// clang-format on
}  // namespace

std::vector<Launch> standard_pytorch_forward_launches(const Problem& p) {
  const Tiling& t = p.tiling;
  const bool one_pass = Bytes(product(p.shape.seqlen_k, size_of(p.dtype))) <= p.row_capacity;
  const GridShape tiles{GridKind::per_tile, t.br, t.bc, false};
  const GridShape rows{GridKind::per_row_block, 1, one_pass ? p.shape.seqlen_k : t.bc, false};
  const GridShape row_blocks{GridKind::per_row_block, t.br, t.bc, false};
  const GridShape few_rows{GridKind::per_row_block, 8, t.bc, false};  // as in thread blocks of such kernels
  const GridShape sliced_rows{GridKind::per_row_block, t.br, t.slice, false};
  const GridShape col_blocks{GridKind::per_column_block, t.br, t.bc, false};
  const auto softmax = one_pass ? softmax_row : softmax_long_row;
  const Tensor S = masked_scores(p).name;
  std::vector<Launch> launches;
  launches.push_back({"scale_q", scale_q, row_blocks, 256, false, {Tensor::Q}, {Q_scaled}});
  launches.push_back({"scale_k", scale_k, col_blocks, 256, false, {Tensor::K}, {K_scaled}});
  launches.push_back({"qk_bmm", qk_bmm, tiles, 256, false, {Q_scaled, K_scaled}, {Tensor::S}});
  if (p.shape.mask.any()) launches.push_back({"add_bias", add_bias, tiles, 256, false, {Tensor::S, bias}, {S}});
  launches.push_back({"softmax", softmax, rows, 256, false, {S}, {P_soft}});
  launches.push_back({"compare", compare, tiles, 256, false, {S}, {hidden}});
  launches.push_back({"all_hidden", all_hidden, few_rows, 256, false, {hidden}, {empty}});
  launches.push_back({"select", select, few_rows, 256, false, {P_soft, empty}, {Tensor::P}});
  launches.push_back({"pv_bmm", pv_bmm, sliced_rows, 256, false, {Tensor::P, Tensor::V}, {Tensor::O}});
  return launches;
}

}  // namespace sim
