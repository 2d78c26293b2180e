// Standard attention, forward: S = Q K^T, softmax and P V as separate kernels, with S and P written to HBM between
// them; score steps, a mask and dropout are kernels as well. Nothing is skipped. Inaccuracy: ALiBi computes its bias
// from the head's slope; frameworks read a matrix of Nq Nk elements. The softmax of a row with a sink begins with the
// sink's m and l. Source: Dao et al. 2022, Algorithm 0.
#include "sim/programs/launches.h"
#include "sim/programs/standard/tensors.h"

namespace sim {
namespace {
// clang-format off
void qk_gemm(Cta& cta, const Problem& p) {
  const Block &i = cta.row(), &j = cta.col();                            // output tile of this CTA
  RegTile S = cta.zeros(Tensor::S, i, j);                                // S = 0                      (Br, Bc)
  for (const Block& c : cta.chunks(p.shape.head_dim, p.tiling.slice)) {  // slices of d
    SmemTile Q = cta.load(block(p.hbm.Q, i, c));                         // Q_ic                       (Br, 32)
    SmemTile K = cta.load(block(p.hbm.K, j, c));                         // K_jc                       (Bc, 32)
    cta.gemm_nt_add(S, Q, K);                                            // S = S + Q_ic K_jc^T        (Br, Bc)
  }
  cta.scale(S, p.scale);                                                 // S = scale S                (Br, Bc)
  cta.store(S, block(p.hbm.S, i, j));                                    // S_ij                       (Br, Bc)
}

const HbmTensor& modified_scores(const Problem& p) { return p.modified() ? p.hbm[S_modified] : p.hbm.S; }

void modify_scores(Cta& cta, const Problem& p, bool first, bool alibi) {
  const Block &i = cta.row(), &j = cta.col();
  if (alibi) cta.load_vec(whole(p.hbm.slopes));                             // its head's slope           (1)
  SmemTile S = cta.load(block(first ? p.hbm.S : p.hbm[S_modified], i, j));  // S_ij                       (Br, Bc)
  cta.modify(S, i, j);                                                      // S = score step of S        (Br, Bc)
  cta.store(S, block(p.hbm[S_modified], i, j));                             // S_modified_ij              (Br, Bc)
}

void mask_scores(Cta& cta, const Problem& p) {
  const Block &i = cta.row(), &j = cta.col();
  SmemTile S = cta.load(block(modified_scores(p), i, j));  // S_ij                       (Br, Bc)
  cta.mask(S, i, j);                                       // S = mask(S)                (Br, Bc)
  cta.store(S, block(p.hbm.S_masked, i, j));               // S_masked_ij                (Br, Bc)
}

const HbmTensor& scores(const Problem& p) { return p.shape.mask.any() ? p.hbm.S_masked : modified_scores(p); }

void begin_with_sink(Cta& cta, const Problem& p, RegVec& m, RegVec& l) {
  const RegVec sink = cta.load_vec(whole(p.hbm.sinks));  // its head's sink            (1)
  m = cta.max(m, sink);                                  // m = max(m, sink)           (1)
  l = cta.exp_sub(sink, m, Tensor::l);                   // l = exp(sink - m)          (1)
}

void softmax_row_in_smem(Cta& cta, const Problem& p) {
  const Block& i = cta.row();                        // one row
  SmemTile S = cta.load(block(scores(p), i));        // S_i                        (1, N)
  RegVec m = cta.row_max(S);                         // m = rowmax(S)              (1)
  RegVec l;
  if (p.has_sinks()) begin_with_sink(cta, p, m, l);  // m = max(m, sink), l of the sink
  SmemTile P = cta.exp_sub(std::move(S), m);         // P = exp(S - m)             (1, N)
  if (p.has_sinks()) l = cta.add_row_sum(l, P);      // l = l + rowsum(P)          (1)
  if (!p.has_sinks()) l = cta.row_sum(P);            // l = rowsum(P)              (1)
  cta.divide_rows(P, l);                             // P = diag(l)^-1 P           (1, N)
  cta.store(P, block(p.hbm.P, i));                   // P_i                        (1, N)
}

void softmax_in_two_passes(Cta& cta, const Problem& p) {
  const Block& i = cta.row();                                         // one row, too long for SMEM
  RegVec l = cta.vec(Tensor::l, i, 0);                                // l = 0                      (1)
  RegVec m = cta.vec(Tensor::m, i, minus_infinity);                   // m = -inf                   (1)
  if (p.has_sinks()) begin_with_sink(cta, p, m, l);                   // m, l of the sink
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.bc)) {  // column blocks, first pass: statistics
    SmemTile S = cta.load(block(scores(p), i, j));                    // S_ij                       (1, Bc)
    RegVec m_new = cta.row_max(S, m);                                 // m' = max(m, rowmax(S))     (1)
    RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);              // alpha = exp(m - m')        (1)
    SmemTile P = cta.exp_sub(std::move(S), m_new);                    // P = exp(S - m')            (1, Bc)
    l = cta.add_row_sum(l, alpha, P);                                 // l = alpha l + rowsum(P)    (1)
    m = std::move(m_new);                                             // m = m'                     (1)
  }
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.bc)) {  // column blocks, second pass: probabilities
    SmemTile S = cta.load(block(scores(p), i, j));                    // S_ij                       (1, Bc)
    SmemTile P = cta.exp_sub(std::move(S), m);                        // P = exp(S - m)             (1, Bc)
    cta.divide_rows(P, l);                                            // P = diag(l)^-1 P           (1, Bc)
    cta.store(P, block(p.hbm.P, i, j));                               // P_ij                       (1, Bc)
  }
}

void drop(Cta& cta, const Problem& p) {
  const Block &i = cta.row(), &j = cta.col();
  SmemTile P = cta.load(block(p.hbm.P, i, j));  // P_ij                       (Br, Bc)
  SmemTile Z = cta.keep_mask(i, j);             // Z                          (Br, Bc)
  cta.dropout(P, Z);                            // P = Z o P / (1 - p)        (Br, Bc)
  cta.store(Z, block(p.hbm.mask, i, j));        // Z_ij                       (Br, Bc), bytes
  cta.store(P, block(p.hbm.P_dropped, i, j));   // P_dropped_ij               (Br, Bc)
}

void pv_gemm(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  RegTile O = cta.zeros(Tensor::O, i, p.hbm.O);                          // O = 0                      (Br, d)
  for (const Block& j : cta.chunks(p.shape.seqlen_k, p.tiling.slice)) {  // slices of N
    SmemTile P = cta.load(block(weights(p), i, j));                      // P_ij                       (Br, 32)
    SmemTile V = cta.load(block(p.hbm.V, j));                            // V_j                        (32, d)
    cta.gemm_nn_add(O, P, V);                                            // O = O + P_ij V_j           (Br, d)
  }
  cta.store(O, block(p.hbm.O, i));                                       // O_i                        (Br, d)
}
// clang-format on
/// Adds a kernel for each score step: the first reads S, and each writes S_modified.
void add_modifications(std::vector<Launch>& launches, const Problem& p, const GridShape& tiles) {
  for (std::size_t n = 0; p.modified() && n < p.score_steps->steps().size(); ++n) {
    auto step = std::make_shared<const ScoreSteps>(p.score_steps->only(n));
    const bool first = n == 0, alibi = step->reads_slopes();
    Launch launch{.name = first ? "modify" : text("modify_", n + 1),
                  .body = [=](Cta& cta, const Problem& of_launch) { modify_scores(cta, of_launch, first, alibi); },
                  .grid = tiles,
                  .threads = 256,
                  .inputs = {first ? Tensor::S : S_modified},
                  .outputs = {S_modified},
                  .form = first ? standard_first_step_form : standard_step_form,
                  .score_steps = std::move(step)};
    if (alibi) launch.inputs.push_back(Tensor::slopes);
    launches.push_back(std::move(launch));
  }
}

}  // namespace

std::vector<Launch> standard_forward_launches(const Problem& p) {
  const Tiling& t = p.tiling;
  const Bytes row(product(p.shape.seqlen_k, size_of(p.dtype)));
  const bool one_pass = row <= p.row_capacity;
  const bool masked = p.shape.mask.any();
  const GridShape tiles{GridKind::per_tile, t.br, t.bc, false};
  const GridShape rows{GridKind::per_row_block, 1, one_pass ? p.shape.seqlen_k : t.bc, false};
  const GridShape row_blocks{GridKind::per_row_block, t.br, t.slice, false};
  std::vector<Launch> launches;
  launches.push_back({"qk_gemm", qk_gemm, tiles, 256, false, {Tensor::Q, Tensor::K}, {Tensor::S}});
  add_modifications(launches, p, tiles);
  if (masked)
    launches.push_back({"mask", mask_scores, tiles, 256, false, {modified_scores(p).name}, {Tensor::S_masked}});
  const auto softmax = one_pass ? softmax_row_in_smem : softmax_in_two_passes;
  launches.push_back({"softmax", softmax, rows, 256, false, {scores(p).name}, {Tensor::P}});
  if (p.has_sinks()) launches.back().inputs.push_back(Tensor::sinks);
  if (p.dropout.any())
    launches.push_back({"dropout", drop, tiles, 256, false, {Tensor::P}, {Tensor::P_dropped, Tensor::mask}});
  launches.push_back({"pv_gemm", pv_gemm, row_blocks, 256, false, {weights(p).name, Tensor::V}, {Tensor::O}});
  for (Launch& launch : launches) launch.unfused = true;
  return launches;
}

}  // namespace sim
