// Tensors of paged-attention only: the number of keys of each sequence, which a CTA reads first, and the sums of the
// parts of version 2, which are in the dtype.
#pragma once
#include "sim/trace/tensors.h"

namespace sim {

inline const Tensor seq_lens = declare_tensor(
    {.name = "seq_lens", .owner = Owner::entry, .rows = extents::one, .cols = extents::one, .own_type = Dtype::i32});
inline const Tensor O_part16 =
    declare_tensor({.name = "O_part16", .cols = extents::dv, .in_parts = true, .family = Tensor::O});

}  // namespace sim
