// Catalogue entry of paged-attention.
#include "sim/programs/flash_decoding/flash_decoding.h"
#include "sim/programs/paged_attention/paged_attention.h"
#include "sim/programs/programs.h"

namespace sim {
namespace {

/// The query of one head, and the keys of a page.
constexpr Tiling paged_attention_tiling(const TilingCase&) { return {1, 16}; }

/// A single query is the last one: a causal mask shows it all keys.
Shape paged_attention_view(const Scenario& s) {
  Shape shape = s.shape;
  shape.mask.causal = false;
  return shape;
}

/// Throws Error for what vLLM's kernel has no code for.
void check_paged_attention(const Scenario& s) {
  require_one_head_dim(s, "paged-attention");
  require(has_one_query(s), "seqlen-q: paged-attention has one query of each sequence: use --seqlen-q 1");
  require(s.br.value_or(1) == 1, "br: ", s.br.value_or(1),
          " is not 1: a CTA of paged-attention has the query of one head; leave it out");
  require(s.dropout == 0, "dropout: paged-attention has none: leave it out");
  const Mask& mask = s.shape.mask;
  require(mask.padding == 0, "padding: a sequence of paged-attention ends with its last key: use a shorter --seqlen-k");
  require(!mask.window && !mask.window_right, "window: the query of paged-attention sees all keys: leave it out");
  require(mask.prefix == 0, "prefix: the query of paged-attention sees all keys: leave it out");
  require(mask.documents == nullptr, "documents: the query of paged-attention sees all keys: leave it out");
  require(!mask.causal || mask.diagonal == DiagonalFrom::bottom_right,
          "causal-from: the query of paged-attention is the last one: leave it out");
}

/// Keys that a row of scores may have beside the query, in whole pages.
std::int64_t keys_in_shared_memory(Bytes bytes, std::int64_t page) {
  return bytes.count() / size_of(Dtype::fp32) / page * page;
}

/// A CTA keeps the scores of its keys in shared memory, next to its query.
void check_row_of_scores(const Scenario& s, const Problem& p, std::int64_t keys) {
  if (s.tiling == TilingRule::paper) return;  // that machine has no such limit
  const Bytes query(product(p.kernel_dims.qk, size_of(p.dtype)));
  const std::int64_t page = p.tiling.bc, alone = keys_in_shared_memory(p.row_capacity, page);
  const std::int64_t most = p.row_capacity < query ? 0 : keys_in_shared_memory(p.row_capacity - query, page);
  require(ceil_div(keys, page) * page <= most, "partition: a CTA of paged-attention keeps the scores of its ", keys,
          " keys in shared memory, 4 bytes each: on ", s.gpu->name, " at most ", alone, " fit, ", most,
          " beside the query; use --partition 512, or fewer keys");
}

/// The second kernel keeps m and l of all parts in shared memory.
void check_statistics_of_parts(const Problem& p, std::int64_t keys, std::int64_t of_part) {
  const std::int64_t parts = ceil_div(keys, of_part), most = p.row_capacity.count() / (2 * size_of(Dtype::fp32));
  require(parts <= most, "partition: parts of ", of_part, " keys make ", parts, " parts of ", keys,
          " keys, and m and l of at most ", most, " fit in shared memory: use larger ones");
}

/// vLLM's rule: version 1 for up to 8,192 keys, if they are a single part or if heads and sequences make enough CTAs.
bool is_version_1(const Scenario& s, const Problem& p) {
  if (const auto given = own_option(s, "partition")) return *given == 0;
  constexpr std::int64_t longest = 8192, enough_ctas = 512;
  const std::int64_t keys = p.shape.seqlen_k;
  return keys <= longest &&
         (keys <= keys_of_paged_part(p) || checked_multiply(p.shape.batch, p.shape.heads) > enough_ctas);
}

std::int64_t parts_of_sequence(const Problem& p) {
  return p.parts == 0 ? 0 : ceil_div(p.shape.seqlen_k, keys_of_paged_part(p));
}

/// Parts of the longest sequence; 0: version 1.
std::int64_t paged_attention_parts(const Scenario& s, const Problem& p) {
  const std::int64_t keys = p.shape.seqlen_k, of_part = keys_of_paged_part(p), page = p.tiling.bc;
  if (is_version_1(s, p)) {
    check_row_of_scores(s, p, keys);
    return 0;
  }
  if (of_part % page != 0)
    throw TileOverflow("partition: parts of ", of_part, " keys are not whole pages of ", page,
                       ": use a multiple of --page-size, or 0");
  check_row_of_scores(s, p, std::min(keys, of_part));
  check_statistics_of_parts(p, keys, of_part);
  return ceil_div(keys, of_part);
}

constexpr OwnOption paged_attention_options[] = {
    {.name = "partition",
     .values = "N|0|auto",
     .help =
         "of paged-attention: keys of a part in version 2, a multiple of --page-size; 0: version 1, without parts; "
         "auto: vLLM's rule, version 1 for up to 8,192 keys if they are one part of 512 or batch x heads > 512 [auto]",
     .label = /*say*/ "partition",
     .note = /*say*/ "keys of a part of paged-attention; 0: version 1",
     .unit = "keys",
     .least = 0,
     .resolved = [](const Plan& plan) { return plan.problem.parts == 0 ? 0 : keys_of_paged_part(plan.problem); },
     .plotted = "0 128 256 512 1024 2048 4096"}};

}  // namespace

constinit const Program programs::paged_attention = {
    .name = "paged-attention",
    .title = /*say*/ "PagedAttention",
    .short_title = /*say*/ "Paged",
    .summary =
        "vLLM's kernels for decoding: a CTA for each head and sequence, or each 512 keys of it, on the FP32 pipe",
    .typed = "paged attention, vllm, pagedattention",
    .forward = {"programs/paged_attention/paged_attention.cpp", "Kwon et al. 2023, PagedAttention; vLLM",
                paged_attention_tiling, paged_attention_launches},
    .forms = paged_attention_forms,
    .row_at_a_time = true,
    .check = check_paged_attention,
    .options = paged_attention_options,
    .view = paged_attention_view,
    .parts = paged_attention_parts,
    .parts_of_class = parts_of_sequence,
    .ragged = true,
    .own_lengths = true,
    .paged = true,
    .tile_pages = 16,
    .steps = true};

}  // namespace sim
