// Standard attention, backward: five kernels, with dP and dS written to HBM between them; dropout is one more. P (and,
// with dropout, P_dropped and the mask) are those stored by the forward pass. A mask needs no kernel: where it hides a
// key P = 0, and so is dS. A KV head's dK and dV are sums over the query heads of its group.
// Source: Dao et al. 2022, Algorithm 3 (appendix B.4).
#include "sim/programs/launches.h"

namespace sim {
namespace {
// clang-format off
const HbmTensor& gradient_of_weights(const Problem& p) { return p.dropout.any() ? p.hbm.dP_dropped : p.hbm.dP; }

void dv_gemm(Cta& cta, const Problem& p) {
  const Block& j = cta.col();
  RegTile dV = cta.zeros(Tensor::dV, j, p.hbm.dV);                         // dV_j = 0                   (Bc, d)
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {              // query heads of the group
    for (const Block& i : cta.chunks(p.shape.seqlen_q, p.tiling.slice)) {  // slices of N
      SmemTile P = cta.load(block(weights(p), i, j));                      // P_ij                       (32, Bc)
      SmemTile dO = cta.load(block(p.hbm.dO, i));                          // dO_i                       (32, d)
      cta.gemm_tn_add(dV, P, dO);                                          // dV_j = dV_j + P_ij^T dO_i  (Bc, d)
    }
  }
  cta.store(dV, block(p.hbm.dV, j));                                       // dV_j                       (Bc, d)
}

void dp_gemm(Cta& cta, const Problem& p) {
  const Block &i = cta.row(), &j = cta.col();
  RegTile dP = cta.zeros(Tensor::dP, i, j);                                 // dP = 0                     (Br, Bc)
  for (const Block& c : cta.chunks(p.shape.value_dim(), p.tiling.slice)) {  // slices of d
    SmemTile dO = cta.load(block(p.hbm.dO, i, c));                          // dO_ic                      (Br, 32)
    SmemTile V = cta.load(block(p.hbm.V, j, c));                            // V_jc                       (Bc, 32)
    cta.gemm_nt_add(dP, dO, V);                                             // dP = dP + dO_ic V_jc^T     (Br, Bc)
  }
  cta.store(dP, block(gradient_of_weights(p), i, j));                       // dP_ij                      (Br, Bc)
}

void dropout_backward(Cta& cta, const Problem& p) {
  const Block &i = cta.row(), &j = cta.col();
  SmemTile dP = cta.load(block(p.hbm.dP_dropped, i, j));  // dP_dropped_ij              (Br, Bc)
  SmemTile Z = cta.load(block(p.hbm.mask, i, j));         // Z_ij                       (Br, Bc), bytes
  cta.dropout(dP, Z);                                     // dP = Z o dP / (1 - p)      (Br, Bc)
  cta.store(dP, block(p.hbm.dP, i, j));                   // dP_ij                      (Br, Bc)
}

void softmax_backward_row_in_smem(Cta& cta, const Problem& p) {
  const Block& i = cta.row();                       // one row
  SmemTile P = cta.load(block(p.hbm.P, i));         // P_i                        (1, N)
  SmemTile dP = cta.load(block(p.hbm.dP, i));       // dP_i                       (1, N)
  RegVec D = cta.row_dot(P, dP);                    // D = rowsum(P o dP)         (1)
  SmemTile dS = cta.jacobian(P, std::move(dP), D);  // dS = P o (dP - D)          (1, N)
  cta.store(dS, block(p.hbm.dS, i));                // dS_i                       (1, N)
}

void softmax_backward_in_two_passes(Cta& cta, const Problem& p) {
  const Block& i = cta.row();                                         // one row, too long for SMEM
  RegVec D = cta.vec(Tensor::D, i, 0);                                // D = 0                      (1)
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.bc)) {  // column blocks, first pass: the row's sum
    SmemTile P = cta.load(block(p.hbm.P, i, j));                      // P_ij                       (1, Bc)
    SmemTile dP = cta.load(block(p.hbm.dP, i, j));                    // dP_ij                      (1, Bc)
    D = cta.add_row_dot(D, P, dP);                                    // D = D + rowsum(P o dP)     (1)
  }
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.bc)) {  // column blocks, second pass: gradients
    SmemTile P = cta.load(block(p.hbm.P, i, j));                      // P_ij                       (1, Bc)
    SmemTile dP = cta.load(block(p.hbm.dP, i, j));                    // dP_ij                      (1, Bc)
    SmemTile dS = cta.jacobian(P, std::move(dP), D);                  // dS = P o (dP - D)          (1, Bc)
    cta.store(dS, block(p.hbm.dS, i, j));                             // dS_ij                      (1, Bc)
  }
}

void dq_gemm(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  RegTile dQ = cta.zeros(Tensor::dQ, i, p.hbm.dQ);                       // dQ_i = 0                   (Br, d)
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.slice)) {  // slices of N
    SmemTile dS = cta.load(block(p.hbm.dS, i, j));                       // dS_ij                      (Br, 32)
    SmemTile K = cta.load(block(p.hbm.K, j));                            // K_j                        (32, d)
    cta.gemm_nn_add(dQ, dS, K);                                          // dQ_i = dQ_i + dS_ij K_j    (Br, d)
  }
  cta.scale(dQ, p.scale);                                                // dQ_i = scale dQ_i          (Br, d)
  cta.store(dQ, block(p.hbm.dQ, i));                                     // dQ_i                       (Br, d)
}

void dk_gemm(Cta& cta, const Problem& p) {
  const Block& j = cta.col();
  RegTile dK = cta.zeros(Tensor::dK, j, p.hbm.dK);                         // dK_j = 0                   (Bc, d)
  for ([[maybe_unused]] const Block& h : cta.query_heads()) {              // query heads of the group
    for (const Block& i : cta.chunks(p.shape.seqlen_q, p.tiling.slice)) {  // slices of N
      SmemTile dS = cta.load(block(p.hbm.dS, i, j));                       // dS_ij                      (32, Bc)
      SmemTile Q = cta.load(block(p.hbm.Q, i));                            // Q_i                        (32, d)
      cta.gemm_tn_add(dK, dS, Q);                                          // dK_j = dK_j + dS_ij^T Q_i  (Bc, d)
    }
  }
  cta.scale(dK, p.scale);                                                  // dK_j = scale dK_j          (Bc, d)
  cta.store(dK, block(p.hbm.dK, j));                                       // dK_j                       (Bc, d)
}
// clang-format on
}  // namespace

std::vector<Launch> standard_backward_launches(const Problem& p) {
  using enum Tensor;
  const Tiling& t = p.tiling;
  const Bytes two_rows(product(2, p.shape.seqlen_k, size_of(p.dtype)));
  const bool one_pass = two_rows <= p.row_capacity;
  const GridShape tiles{GridKind::per_tile, t.br, t.bc, false};
  const GridShape rows{GridKind::per_row_block, 1, one_pass ? p.shape.seqlen_k : t.bc, false};
  const GridShape row_blocks{GridKind::per_row_block, t.br, t.slice, false};
  const GridShape col_blocks{GridKind::per_column_block, t.slice, t.bc, false};
  std::vector<Launch> launches;
  launches.push_back({"dv_gemm", dv_gemm, col_blocks, 256, false, {weights(p).name, dO}, {dV}});
  launches.push_back({"dp_gemm", dp_gemm, tiles, 256, false, {dO, V}, {gradient_of_weights(p).name}});
  if (p.dropout.any())
    launches.push_back({"dropout_backward", dropout_backward, tiles, 256, false, {dP_dropped, mask}, {dP}});
  const auto softmax_backward = one_pass ? softmax_backward_row_in_smem : softmax_backward_in_two_passes;
  launches.push_back({"softmax_backward", softmax_backward, rows, 256, false, {P, dP}, {dS}});
  launches.push_back({"dq_gemm", dq_gemm, row_blocks, 256, false, {dS, K}, {dQ}});
  launches.push_back({"dk_gemm", dk_gemm, col_blocks, 256, false, {dS, Q}, {dK}});
  for (Launch& launch : launches) launch.unfused = true;
  return launches;
}

}  // namespace sim
