// Some query rows of O or dQ, and what they should be.
#pragma once
#include "kernels/bench/drawn_inputs.h"
#include "kernels/verify/tensors.h"

namespace bench {

/// Elements of one tensor: of the kernel, in double, and by the plain formula in the dtype.
struct Compared {
  std::vector<float> kernel;
  std::vector<double> reference;
  std::vector<float> plain;
};

/// Where samples are taken: the first, a middle and the last `count` of an axis, in the first, a middle and the last of
/// the heads.
struct SamplePlace {
  std::int64_t head = 0;  ///< over the batch
  sim::Interval elements;
};
std::vector<SamplePlace> sample_places(std::int64_t heads, std::int64_t length, std::int64_t count);

/// Where rows of a head are in a tensor of heads of `length` rows of d elements; and some elements of a tensor.
sim::Interval elements_of(std::int64_t head, std::int64_t length, sim::Interval rows, std::int64_t d);
std::vector<float> part(const std::vector<float>& all, sim::Interval elements);

/// O or dQ of 16 rows at each place. Query rows [a, b) of a head and the keys they may see, [0, Nk') with
/// Nk' = b + Nk - Nq where causal, else all, are an attention with b - a queries: the diagonal is aligned bottom-right.
std::vector<Compared> compared_rows(const sim::Plan& plan, const kernels::Tensors& tensors, sim::Tensor tensor,
                                    DrawnInputs& inputs);

}  // namespace bench
