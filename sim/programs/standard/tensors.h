// Tensor of standard attention only: the scores after each score step, (Nq, Nk) per query head, and its equations.
#pragma once
#include "sim/programs/kernel_form.h"
#include "sim/trace/tensors.h"

namespace sim {

inline const Tensor S_modified = declare_tensor({.name = "S_modified", .cols = extents::Nk, .family = Tensor::S});

/// Forms of the kernel of the first score step, which reads S, and of a later one.
KernelForm standard_first_step_form(const Problem& p);
KernelForm standard_step_form(const Problem& p);

}  // namespace sim
