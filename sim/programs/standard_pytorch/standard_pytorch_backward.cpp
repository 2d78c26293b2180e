// Standard attention as PyTorch runs it where no fused kernel is taken, backward: the formulas of autograd for the
// operations of the forward pass, a kernel each, in the order in which it reaches them. P, Q_scaled and K_scaled are
// those that the forward pass stored. The softmax has two kernels: the product of P and dP, and what is left to do
// with it; the comparison, its reduction and the selection have none, since _safe_softmax has the formula of softmax.
// Source: PyTorch 2.5 to 2.11, tools/autograd/derivatives.yaml and aten/src/ATen/native/cuda/SoftMax.cu
// (softmax_backward_cuda_out).
#include <cmath>

#include "sim/programs/launches.h"
#include "sim/programs/standard_pytorch/tensors.h"

namespace sim {
namespace {
// clang-format off
void dp_bmm(Cta& cta, const Problem& p) {
  const Block &i = cta.row(), &j = cta.col();
  RegTile dP = cta.zeros(Tensor::dP, i, j);                                 // dP = 0                     (Br, Bc)
  for (const Block& c : cta.chunks(p.shape.value_dim(), p.tiling.slice)) {  // slices of d
    SmemTile dO = cta.load(block(p.hbm.dO, i, c));                          // dO_ic                      (Br, 32)
    SmemTile V = cta.load(block(p.hbm.V, j, c));                            // V_jc                       (Bc, 32)
    cta.gemm_nt_add(dP, dO, V);                                             // dP = dP + dO_ic V_jc^T     (Br, Bc)
  }
  cta.store(dP, block(p.hbm.dP, i, j));                                     // dP_ij                      (Br, Bc)
}

void dv_bmm(Cta& cta, const Problem& p) {
  const Block& j = cta.col();
  RegTile dV = cta.zeros(Tensor::dV, j, p.hbm.dV);                       // dV_j = 0                   (Bc, d)
  for (const Block& i : cta.chunks(p.shape.seqlen_q, p.tiling.slice)) {  // slices of N
    SmemTile P = cta.load(block(p.hbm.P, i, j));                         // P_ij                       (32, Bc)
    SmemTile dO = cta.load(block(p.hbm.dO, i));                          // dO_i                       (32, d)
    cta.gemm_tn_add(dV, P, dO);                                          // dV_j = dV_j + P_ij^T dO_i  (Bc, d)
  }
  cta.store(dV, block(p.hbm.dV, j));                                     // dV_j                       (Bc, d)
}

void multiply(Cta& cta, const Problem& p) {
  const Block &i = cta.row(), &j = cta.col();
  SmemTile P = cta.load(block(p.hbm.P, i, j));               // P_ij                       (Br, Bc)
  SmemTile dP = cta.load(block(p.hbm.dP, i, j));             // dP_ij                      (Br, Bc)
  SmemTile T = cta.multiply(dP_weighted, P, std::move(dP));  // T = P o dP                 (Br, Bc)
  cta.store(T, block(p.hbm[dP_weighted], i, j));             // dP_weighted_ij                     (Br, Bc)
}

void softmax_backward_row(Cta& cta, const Problem& p) {
  const Block& i = cta.row();                                 // one row
  SmemTile P = cta.load(block(p.hbm.P, i));                   // P_i                        (1, N)
  SmemTile T = cta.load(block(p.hbm[dP_weighted], i));        // T_i                        (1, N)
  RegVec D = cta.vec(Tensor::D, i, 0);                        // D = 0                      (1)
  D = cta.add_row_sum(D, T);                                  // D = D + rowsum(T)          (1)
  SmemTile dS = cta.jacobian_of_product(P, std::move(T), D);  // dS = T - diag(D) P         (1, N)
  cta.store(dS, block(p.hbm.dS, i));                          // dS_i                       (1, N)
}

void softmax_backward_long_row(Cta& cta, const Problem& p) {
  const Block& i = cta.row();                                         // one row, too long for SMEM
  RegVec D = cta.vec(Tensor::D, i, 0);                                // D = 0                      (1)
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.bc)) {  // column blocks, first pass: the row's sum
    SmemTile T = cta.load(block(p.hbm[dP_weighted], i, j));           // T_ij                       (1, Bc)
    D = cta.add_row_sum(D, T);                                        // D = D + rowsum(T)          (1)
  }
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.bc)) {  // column blocks, second pass: gradients
    SmemTile P = cta.load(block(p.hbm.P, i, j));                      // P_ij                       (1, Bc)
    SmemTile T = cta.load(block(p.hbm[dP_weighted], i, j));           // T_ij                       (1, Bc)
    SmemTile dS = cta.jacobian_of_product(P, std::move(T), D);        // dS = T - diag(D) P         (1, Bc)
    cta.store(dS, block(p.hbm.dS, i, j));                             // dS_ij                      (1, Bc)
  }
}

void dq_bmm(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  RegTile dQ = cta.zeros(Tensor::dQ, i, p.hbm.dQ);                       // dQ_i = 0                   (Br, d)
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.slice)) {  // slices of N
    SmemTile dS = cta.load(block(p.hbm.dS, i, j));                       // dS_ij                      (Br, 32)
    SmemTile K = cta.load(block(p.hbm[K_scaled], j));                    // K_scaled_j                 (32, d)
    cta.gemm_nn_add(dQ, dS, K);                                          // dQ_i = dQ_i + dS_ij K_j    (Br, d)
  }
  cta.store(dQ, block(p.hbm[dQ_scaled], i));                             // dQ_scaled_i                (Br, d)
}

void dk_bmm(Cta& cta, const Problem& p) {
  const Block& j = cta.col();
  RegTile dK = cta.zeros(Tensor::dK, j, p.hbm.dK);                       // dK_j = 0                   (Bc, d)
  for (const Block& i : cta.chunks(p.shape.seqlen_q, p.tiling.slice)) {  // slices of N
    SmemTile dS = cta.load(block(p.hbm.dS, i, j));                       // dS_ij                      (32, Bc)
    SmemTile Q = cta.load(block(p.hbm[Q_scaled], i));                    // Q_scaled_i                 (32, d)
    cta.gemm_tn_add(dK, dS, Q);                                          // dK_j = dK_j + dS_ij^T Q_i  (Bc, d)
  }
  cta.store(dK, block(p.hbm[dK_scaled], j));                             // dK_scaled_j                (Bc, d)
}

void scale_dq(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  SmemTile dQ = cta.load(block(p.hbm[dQ_scaled], i));                   // dQ_scaled_i                (Br, d)
  cta.scale(dQ, std::copysign(std::sqrt(std::abs(p.scale)), p.scale));  // dQ = sqrt(scale) dQ        (Br, d)
  cta.store(dQ, block(p.hbm.dQ, i));                                    // dQ_i                       (Br, d)
}

void scale_dk(Cta& cta, const Problem& p) {
  const Block& j = cta.col();
  SmemTile dK = cta.load(block(p.hbm[dK_scaled], j));  // dK_scaled_j                (Bc, d)
  cta.scale(dK, std::sqrt(std::abs(p.scale)));         // dK = sqrt(scale) dK        (Bc, d)
  cta.store(dK, block(p.hbm.dK, j));                   // dK_j                       (Bc, d)
}
// clang-format on
}  // namespace

std::vector<Launch> standard_pytorch_backward_launches(const Problem& p) {
  using enum Tensor;
  const Tiling& t = p.tiling;
  const bool one_pass = Bytes(product(2, p.shape.seqlen_k, size_of(p.dtype))) <= p.row_capacity;
  const GridShape tiles{GridKind::per_tile, t.br, t.bc, false};
  const GridShape rows{GridKind::per_row_block, 1, one_pass ? p.shape.seqlen_k : t.bc, false};
  const GridShape row_blocks{GridKind::per_row_block, t.br, t.bc, false};
  const GridShape sliced_rows{GridKind::per_row_block, t.br, t.slice, false};
  const GridShape col_blocks{GridKind::per_column_block, t.br, t.bc, false};
  const GridShape sliced_cols{GridKind::per_column_block, t.slice, t.bc, false};
  const auto softmax_backward = one_pass ? softmax_backward_row : softmax_backward_long_row;
  std::vector<Launch> launches;
  launches.push_back({"dp_bmm", dp_bmm, tiles, 256, false, {dO, V}, {dP}});
  launches.push_back({"dv_bmm", dv_bmm, sliced_cols, 256, false, {P, dO}, {dV}});
  launches.push_back({"multiply", multiply, tiles, 256, false, {P, dP}, {dP_weighted}});
  launches.push_back({"softmax_backward", softmax_backward, rows, 256, false, {P, dP_weighted}, {dS}});
  launches.push_back({"dq_bmm", dq_bmm, sliced_rows, 256, false, {dS, K_scaled}, {dQ_scaled}});
  launches.push_back({"dk_bmm", dk_bmm, sliced_cols, 256, false, {dS, Q_scaled}, {dK_scaled}});
  launches.push_back({"scale_dq", scale_dq, row_blocks, 256, false, {dQ_scaled}, {dQ}});
  launches.push_back({"scale_dk", scale_dk, col_blocks, 256, false, {dK_scaled}, {dK}});
  return launches;
}

}  // namespace sim
