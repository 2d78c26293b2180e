// Catalogue entry of flash-decoding.
#include <algorithm>

#include "sim/programs/flash_decoding/flash_decoding.h"
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"

namespace sim {
namespace {

constexpr Footprint flash_decoding_footprint{{1, 0}, {1, 1}, 1, {0, 1}, {0, 0}};  // Q_i      | K_j, V_j | S | O_i

/// Returns the smallest number of parts that fills waves of `slots` CTAs to 85 % of the best; 1 if row blocks fill 80 %
/// of a wave. Numbers that do not shorten the largest part are skipped. Source: num_splits_heuristic of flash-attention
/// 2.
std::int64_t fewest_splits(std::int64_t ctas, std::int64_t slots, std::int64_t key_blocks) {
  if (10 * ctas >= 8 * slots) return 1;
  const std::int64_t most = std::min({std::int64_t{128}, slots, key_blocks});
  const auto filled = [&](std::int64_t splits) {
    const std::int64_t all = checked_multiply(ctas, splits);
    return static_cast<double>(all) / static_cast<double>(slots * ceil_div(all, slots));
  };
  const auto shortens = [&](std::int64_t splits) {
    return splits == 1 || ceil_div(key_blocks, splits) != ceil_div(key_blocks, splits - 1);
  };
  double best = 0;
  for (std::int64_t n = 1; n <= most; ++n) best = shortens(n) ? std::max(best, filled(n)) : best;
  std::int64_t splits = 1;
  while (!shortens(splits) || filled(splits) < 0.85 * best) ++splits;
  return splits;
}

/// Number of CTAs for the row blocks of all batch entries.
std::int64_t ctas_of_rows(const Scenario& s, const Problem& p) {
  const std::int64_t rows_of_query = p.shape.seqlen_q / s.shape.seqlen_q;  // heads, if they are rows
  const auto ctas = [&](std::int64_t entries, std::int64_t queries) {
    return product(entries, p.shape.heads, ceil_div(checked_multiply(queries, rows_of_query), p.tiling.br));
  };
  if (s.sequences == nullptr) return ctas(p.shape.batch, s.shape.seqlen_q);
  std::int64_t sum = 0;
  for (const SequenceClass& c : *s.sequences)
    sum = checked_add(sum, ctas(checked_multiply(c.count, s.samples), c.seqlen_q));
  return sum;
}

}  // namespace

/// 64 query rows, fewer for few queries but at least 16; 256 keys for d <= 64, 128 for d <= 128, 64 above. In fp32 32
/// rows and keys. Source: flash-attention 2, run_mha_fwd_splitkv_dispatch.
Tiling flash_decoding_tiling(const TilingCase& c) {
  Tiling t = c.element_bytes == 4 ? Tiling{32, 32} : Tiling{64, c.d() <= 64 ? 256 : c.d() <= 128 ? 128 : 64};
  while (t.br > 16 && t.br / 2 >= c.seqlen_q) t.br /= 2;
  return shrink(flash_decoding_footprint, t, c.element_bytes, c.dims, c.chip);
}

/// Shape as the kernels see it. With one query, in every entry of a ragged batch, the query heads of a KV head become
/// adjacent rows, (batch, KV heads, heads / KV heads, d): the same memory. Not with dropout, which draws by head, nor
/// under a mask other than padding and a causal one that ends at the last query and key.
Shape flash_decoding_view(const Scenario& s) {
  const Shape& shape = s.shape;
  const bool packs = own_value(s, "pack") != 0 && may_pack(s) && has_one_query(s);
  return shape.kv_heads == shape.heads || !packs ? shape : with_heads_as_rows(shape);
}

bool has_one_query(const Scenario& s) {
  return (s.sequences == nullptr ? s.shape.seqlen_q : sizes_of(*s.sequences).most_queries) == 1;
}

bool may_pack(const Scenario& s) {
  const Mask& mask = s.shape.mask;
  const bool first_key_alone = mask.causal && mask.diagonal == DiagonalFrom::top_left;
  const bool sees_all = !mask.window && !mask.window_right && mask.prefix == 0 && mask.documents == nullptr;
  return sees_all && !first_key_alone && s.dropout == 0;
}

Shape with_heads_as_rows(Shape shape) {
  shape.seqlen_q = checked_multiply(shape.heads / shape.kv_heads, shape.seqlen_q);
  shape.heads = shape.kv_heads;
  shape.mask.causal = false;  // a single query is aligned with the last key: it sees all
  return shape;
}

std::int64_t flash_decoding_splits(const Scenario& s, const Problem& p) {
  const std::int64_t key_blocks = ceil_div(p.shape.seqlen_k, p.tiling.bc);
  const std::int64_t row_blocks = ceil_div(p.shape.seqlen_q, p.tiling.br);
  const auto given = own_option(s, "splits");
  if (!given) {
    const std::int64_t splits = fewest_splits(ctas_of_rows(s, p), 2 * s.gpu->sm_count, key_blocks);
    return splits == 1 ? 0 : splits;
  }
  require(*given <= key_blocks, "splits: ", *given, " is more than the ", key_blocks, " key blocks of ", p.tiling.bc,
          " keys: use --splits 1 to ", key_blocks, ", auto, or a smaller --bc");
  require(checked_multiply(row_blocks, *given) <= most_blocks, "splits: ", *given, " parts of ", row_blocks,
          " row blocks make more than ", most_blocks, " CTAs per head: use fewer");
  return *given;
}

namespace {

constexpr OwnOption flash_decoding_options[] = {splits_option, pack_option};

}  // namespace

constinit const Program programs::flash_decoding = {
    .name = "flash-decoding",
    .title = /*say*/ "Flash-Decoding",
    .short_title = /*say*/ "Decoding",
    .summary = "for few queries: the keys in parts, one CTA for each, and a kernel that combines them",
    .typed = "flash decoding, flashdecoding, split-kv, fd",
    .forward = {"programs/flash_decoding/flash_decoding.cpp", "Dao et al. 2023, Flash-Decoding", flash_decoding_tiling,
                flash_decoding_launches},
    .forms = flash_decoding_forms,
    .half_kernel = "flash-decoding_mma",
    .head_dims = flash2_head_dims,
    .options = flash_decoding_options,
    .view = flash_decoding_view,
    .parts = flash_decoding_splits,
    .ragged = true,
    .paged = true,
    .steps = true,
    .kv_shared = SharedKv::if_given,
    .score_steps = true,
    .sinks = true};

}  // namespace sim
