// PagedAttention, the kernels of vLLM for decoding: the query of a head against the pages of its sequence. Version 1
// has a CTA for each head and sequence, which keeps the scores of all keys in shared memory; version 2 one for each 512
// keys of them, and a second kernel that sums the parts of a sequence. A warp takes a page: its threads load rows of K
// and V to registers and multiply them on the FP32 pipe, so that no tensor core and no copy to shared memory is
// involved. Each of the two loops over pages looks them up, and no CTA shares the keys of a KV head with another: K and
// V are read for each query head. Sources: Kwon et al. 2023, "Efficient Memory Management for Large Language Model
// Serving with PagedAttention"; vLLM, csrc/attention/attention_kernels.cuh. Inaccuracies: vLLM reads whole pages and
// hides the keys past the end, which are not read here; its layouts of K and V are rows here; P is divided by l as it
// is read for P V, there in a loop before.
#include "sim/programs/paged_attention/paged_attention.h"

#include "sim/programs/launches.h"
#include "sim/programs/paged_attention/tensors.h"
namespace sim {
namespace {
// clang-format off
void paged_attention(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& i = cta.row();                                // the query of a head: Br = 1
  const Block& s = cta.col();                                // its part of the keys; all in v1
  cta.load_vec(whole(hbm[seq_lens]));                        // Nk of its sequence         (1)
  SmemTile Q = cta.load(block(hbm.Q, i));                    // q                          (1, d)
  SmemTile S = cta.row_of_scores(i, s);                      // space for its scores
  RegVec m = cta.vec(Tensor::m, i, minus_infinity);          // m = -inf                   (1)
  for (const Block& j : cta.key_blocks(i, s)) {              // pages of the part: Bc = P
    cta.load_vec(pages_of(hbm.block_table, j));              // where page j lies          (1)
    RegTile K = cta.load_registers(block(hbm.K, j));         // K_j                        (Bc, d)
    RegTile S_j = cta.gemm_nt(Q, K);                         // S_j = q K_j^T              (1, Bc)
    cta.scale(S_j, p.scale);                                 // S_j = scale S_j            (1, Bc)
    m = cta.row_max(S_j, m);                                 // m = max(m, max S_j)        (1)
    cta.keep(S_j, S, j);                                     // S_j to shared memory       (1, Bc)
  }
  RegVec l = cta.vec(Tensor::l, i, 0);                       // l = 0                      (1)
  for (const Block& j : cta.key_blocks(i, s)) {              // the scores once more, now that m is known
    RegTile P_j = cta.exp_sub(cta.cols_of(S, j), m);         // P_j = exp(S_j - m)         (1, Bc)
    l = cta.add_row_sum(l, P_j);                             // l = l + sum P_j            (1)
    cta.keep(P_j, S, j);                                     // P_j in the place of S_j    (1, Bc)
  }
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);                // O = 0                      (1, d)
  for (const Block& j : cta.key_blocks(i, s)) {              // pages of the part again
    cta.load_vec(pages_of(hbm.block_table, j));              // where page j lies          (1)
    RegTile V = cta.load_registers(block(hbm.V, j));         // V_j                        (Bc, d)
    RegTile P_j = cta.cols_of(S, j);                         // P_j                        (1, Bc)
    cta.divide_rows(P_j, l);                                 // P_j = P_j / l              (1, Bc)
    cta.gemm_nn_add(O, P_j, V);                              // O = O + P_j V_j            (1, d)
  }
  if (p.parts == 0) cta.store(O, block(hbm.O, i));           // O_i                        (1, d)
  if (p.parts > 0) cta.store(O, part(hbm[O_part16], i, s));  // O_is = O                   (1, d)
  if (p.parts > 0) cta.store(m, part(hbm.m_part, i, s));     // m_is = m                   (1)
  if (p.parts > 0) cta.store(l, part(hbm.l_part, i, s));     // l_is = l                   (1)
}
RegTile sum_of_parts(Cta& cta, const Problem& p, const Block& i) {
  const Hbm& hbm = p.hbm;
  SmemTile m_part = cta.load(block(hbm.m_part, i));               // m_i of all parts           (1, Ns)
  SmemTile l_part = cta.load(block(hbm.l_part, i));               // l_i of all parts           (1, Ns)
  RegVec m = cta.row_max(m_part);                                 // m = max_s m_is             (1)
  SmemTile W = cta.exp_sub(std::move(m_part), m);                 // W = exp(m_part - m)        (1, Ns)
  W = cta.multiply(Tensor::beta, l_part, std::move(W));           // W = l_part o W             (1, Ns)
  RegVec l = cta.row_sum(W);                                      // l = sum W                  (1)
  cta.divide_rows(W, l);                                          // W = W / l                  (1, Ns)
  RegTile O = cta.zeros(Tensor::O, i, hbm.O);                     // O = 0                      (1, d)
  for (const Block& s : cta.chunks(p.parts, 1)) {                 // parts of the keys
    RegVec beta = cta.column(W, s);                               // beta = W_s                 (1)
    RegTile O_s = cta.load_registers(part(hbm[O_part16], i, s));  // O_is                       (1, d)
    cta.blend(O, beta, O_s);                                      // O = O + beta O_is          (1, d)
  }
  return O;
}
void paged_attention_reduce(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& i = cta.row();                                         // the query of a head
  cta.load_vec(whole(hbm[seq_lens]));                                 // Nk of its sequence         (1)
  RegTile O;
  if (p.parts == 1) O = cta.load_registers(block(hbm[O_part16], i));  // O of the only part         (1, d)
  if (p.parts > 1) O = sum_of_parts(cta, p, i);                       // O = sum of the parts       (1, d)
  cta.store(O, block(hbm.O, i));                                      // O_i                        (1, d)
}
// clang-format on
}  // namespace

std::int64_t keys_of_paged_part(const Problem& p) {
  constexpr std::int64_t of_vllm = 512;
  const std::int64_t given = p.own("partition");
  return given > 0 ? given : of_vllm;
}

std::vector<Launch> paged_attention_launches(const Problem& p) {
  using enum Tensor;
  constexpr std::int64_t warps = 4;  // each has a page
  const std::int64_t pages = ceil_div(p.shape.seqlen_k, p.tiling.bc);
  const bool one = p.parts == 0;
  const std::int64_t pages_of_part = one ? pages : keys_of_paged_part(p) / p.tiling.bc;
  GridShape grid = GridShape::split(1, p.tiling.bc, pages_of_part, std::max<std::int64_t>(1, p.parts));
  grid.raster = Raster::block_outermost;  // (heads, sequences, parts): a part of all sequences before the next
  const Launch first{.name = one ? "paged_attention_v1" : "paged_attention_v2",
                     .body = paged_attention,
                     .grid = grid,
                     .threads = 32 * warps,
                     .round_p = p.dtype != Dtype::fp32,
                     .inputs = {Q, K, V, seq_lens},
                     .outputs = one ? std::vector{O} : std::vector{O_part16, m_part, l_part},
                     .tiles_in_flight = warps,
                     .products = Products::fma};
  if (one) return {first};
  return {first,
          {.name = "paged_attention_reduce",
           .body = paged_attention_reduce,
           .grid = {GridKind::per_row_block, 1, keys_of_paged_part(p), false},
           .threads = 32 * warps,
           .inputs = p.parts > 1 ? std::vector{O_part16, m_part, l_part, seq_lens} : std::vector{O_part16, seq_lens},
           .outputs = {O},
           .tiles_in_flight = unrolled_iterations,
           .products = Products::fma}};
}

}  // namespace sim
