#include "sim/model/few_queries.h"

#include <algorithm>

namespace sim {
namespace {

/// True if the released code splits the keys of a problem whose row blocks are one for each KV head: they are too few
/// to fill the GPU, and have enough tiles to share. It counts one entry of a ragged batch, as if the others were short.
bool released_code_splits(const Plan& plan) {
  constexpr std::int64_t fewest_tiles = 5;
  const Problem& p = plan.problem;
  const std::int64_t keys = p.shape.live_keys({0, p.shape.seqlen_q}).size();
  const std::int64_t row_blocks = checked_multiply(p.ragged ? 1 : p.shape.batch, p.shape.kv_heads);
  return ceil_div(keys, p.tiling.bc) >= fewest_tiles && 5 * row_blocks < 4 * plan.scenario.gpu->sm_count;
}

}  // namespace

std::string_view note_on_few_queries(const Plan& plan) {
  const bool wgmma = std::any_of(plan.launches.begin(), plan.launches.end(),
                                 [](const Launch& launch) { return launch.products == Products::wgmma; });
  const Shape& shape = plan.problem.shape;
  const std::int64_t group = shape.heads / shape.kv_heads;
  if (!wgmma || shape.seqlen_q > wgmma_rows / group) return "";
  const bool packs = group > 1, splits = released_code_splits(plan);
  if (packs && splits) {
    return /*say*/
        "few queries: the released code packs query heads and splits the keys here, this program does neither: see "
        "flash-decoding";
  }
  if (packs) {
    return /*say*/ "few queries: the released code packs query heads here, this program does not: see flash-decoding";
  }
  if (splits) {
    return /*say*/ "few queries: the released code splits the keys here, this program does not: see flash-decoding";
  }
  return "";
}

}  // namespace sim
