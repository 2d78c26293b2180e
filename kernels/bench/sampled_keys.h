// Samples of key rows of dK and dV, and their expected values, given the kernel's own L and O.
#pragma once
#include "kernels/bench/sampled_rows.h"

namespace bench {

/// Compared elements at each position.
struct KeyGradients {
  std::vector<Compared> d_k, d_v;
};

/// Compares dK and dV of 8 keys at each position with the formula: P = exp(scale q k^T - L), D = rowsum(O o dO),
/// dS = P o (dO V^T - D), and, summed over the query heads of the key's group, dV = P^T dO, dK = scale dS^T Q. L and O
/// are the kernel's; other samples check them. The plain formula rounds P and dS to the dtype.
KeyGradients compared_keys(const sim::Plan& plan, const kernels::Tensors& tensors, DrawnInputs& inputs);

}  // namespace bench
