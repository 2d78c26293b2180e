// Tensors of flash1-released only: O and dQ between two passes over the queries, in fp32, (Nq, d) per query head.
#pragma once
#include "sim/trace/tensors.h"

namespace sim {

inline const Tensor O_tmp =
    declare_tensor({.name = "O_tmp", .cols = extents::dv, .own_type = Dtype::fp32, .family = Tensor::O});
inline const Tensor dQ_tmp =
    declare_tensor({.name = "dQ_tmp", .own_type = Dtype::fp32, .family = Tensor::Q, .gradient = true});

}  // namespace sim
