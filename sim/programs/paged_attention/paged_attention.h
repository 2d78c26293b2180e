// Kernels, equations, tensors and parts of paged-attention.
#pragma once
#include "sim/programs/plan.h"

namespace sim {

/// Number of keys of each sequence, which a CTA reads first; and the sums of v2's parts, in the dtype.
inline const Tensor seq_lens = declare_tensor(
    {.name = "seq_lens", .owner = Owner::entry, .rows = extents::one, .cols = extents::one, .own_type = Dtype::i32});
inline const Tensor O_part16 =
    declare_tensor({.name = "O_part16", .cols = extents::dv, .in_parts = true, .family = Tensor::O});

std::vector<Launch> paged_attention_launches(const Problem& p);
std::span<const NamedForm> paged_attention_forms();

/// Keys of a part in v2.
std::int64_t keys_of_paged_part(const Problem& p);

}  // namespace sim
