// Catalogue entry of mla-decode: decoding of multi-head latent attention in its absorbed form, by the kernels of
// flash-decoding. All query heads share one row of K for each key, the latent one, and V is its first columns: one load
// serves both. Heads, and queries where the mask shows them the same keys, are rows of one tile.
// Sources: DeepSeek-AI 2024, DeepSeek-V2, section 2.1; DeepSeek's FlashMLA, whose dense kernel has tiles of 64 rows and
// 64 keys.
// Inaccuracies: FlashMLA keeps O in two halves on two warpgroups and multiplies by wgmma; here eight warps multiply by
// mma.sync, as flash-decoding's do. Of the two buffers of K, peak SMEM has one.
#include "sim/programs/flash_decoding/flash_decoding.h"
#include "sim/programs/programs.h"

namespace sim {
namespace {

constexpr Footprint mla_decode_footprint{{1, 0}, {2, 0}, 1, {0, 1}, {0, 0}};  // Q_i | K_j twice | S | O_i

/// 64 query rows, fewer for few rows but at least 16, and 64 keys. Source: FlashMLA.
constexpr Tiling mla_decode_tiling(const TilingCase& c) {
  Tiling t{64, 64};
  while (t.br > 16 && t.br / 2 >= c.seqlen_q) t.br /= 2;
  return shrink(mla_decode_footprint, t, c.element_bytes, c.dims, c.chip);
}

/// Shape as the kernels see it: heads as rows. Several queries are rows as well if each sees every unpadded key, and if
/// no score step asks for their numbers.
Shape mla_decode_view(const Scenario& s) {
  const bool alike = has_one_query(s) || (!s.shape.mask.causal && s.score_steps.empty());
  return alike && may_pack(s) ? with_heads_as_rows(s.shape) : s.shape;
}

void check_mla(const Scenario& s) {
  require(s.shape.kv_heads == 1, "kv-heads: ", s.shape.kv_heads,
          " is not 1: the heads of mla-decode share the latent row of a key; use --kv-heads 1");
}

constexpr OwnOption mla_decode_options[] = {splits_option};

}  // namespace

constinit const Program programs::mla_decode = {
    .name = "mla-decode",
    .title = /*say*/ "Decoding of multi-head latent attention",
    .short_title = /*say*/ "MLA decoding",
    .summary = "flash-decoding with one KV head, heads as rows and V as the first columns of K: one load serves both",
    .typed = "mla, mla decode, flashmla, multi-head latent attention",
    .forward = {"programs/flash_decoding/flash_decoding.cpp", "DeepSeek-AI 2024, DeepSeek-V2, section 2.1",
                mla_decode_tiling, flash_decoding_launches},
    .forms = flash_decoding_forms,
    .check = check_mla,
    .options = mla_decode_options,
    .view = mla_decode_view,
    .parts = flash_decoding_splits,
    .ragged = true,
    .kv_shared = SharedKv::always,
    .score_steps = true};

}  // namespace sim
