// A note on what the released code of flash3 does with few queries, and a kernel with a CTA for each row block of a
// head does not.
#pragma once
#include <string_view>

#include "sim/programs/plan.h"

namespace sim {

/// Returns a sentence if the released code would pack the query heads of a KV head into one tile, split the keys
/// among CTAs, or both, for a plan whose kernels multiply by wgmma; else "". Queries are few if those of the heads of a
/// KV head fit into the 64 rows of one warpgroup. Source: hopper/heuristics.h of flash-attention, which
/// flash_attn_with_kvcache follows by default.
std::string_view note_on_few_queries(const Plan& plan);

}  // namespace sim
