// Kernels, equations and parts of paged-attention.
#pragma once
#include "sim/programs/plan.h"

namespace sim {

std::vector<Launch> paged_attention_launches(const Problem& p);
std::span<const NamedForm> paged_attention_forms();

/// Keys of a part in version 2.
std::int64_t keys_of_paged_part(const Problem& p);

}  // namespace sim
