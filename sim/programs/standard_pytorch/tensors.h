// The tensors of standard-pytorch alone. Q and K have the root of the scale in them; `bias` is the causal mask, 0 and
// -inf; `hidden` marks the scores that are -inf, `empty` the rows that have no others; P_soft is P before the rows in
// `empty` are cleared; dP_weighted = P o dP.
#pragma once
#include "sim/trace/tensors.h"

namespace sim {

inline const Tensor Q_scaled = declare_tensor({.name = "Q_scaled", .family = Tensor::Q});
inline const Tensor K_scaled = declare_tensor(
    {.name = "K_scaled", .owner = Owner::kv_head, .rows = extents::Nk, .cols = extents::d, .family = Tensor::K});
inline const Tensor dQ_scaled = declare_tensor({.name = "dQ_scaled", .family = Tensor::Q, .gradient = true});
inline const Tensor dK_scaled = declare_tensor({.name = "dK_scaled",
                                                .owner = Owner::kv_head,
                                                .rows = extents::Nk,
                                                .cols = extents::d,
                                                .family = Tensor::K,
                                                .gradient = true});
inline const Tensor bias = declare_tensor({.name = "bias", .owner = Owner::everyone, .cols = extents::Nk});
inline const Tensor P_soft = declare_tensor({.name = "P_soft", .cols = extents::Nk, .family = Tensor::P});
inline const Tensor hidden = declare_tensor({.name = "hidden", .cols = extents::Nk, .own_type = Dtype::u8});
inline const Tensor empty = declare_tensor({.name = "empty", .cols = extents::one, .own_type = Dtype::u8});
inline const Tensor dP_weighted =
    declare_tensor({.name = "dP_weighted", .cols = extents::Nk, .family = Tensor::P, .gradient = true});

}  // namespace sim
