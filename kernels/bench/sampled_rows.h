// Some query rows of O or dQ, and what they should be.
#pragma once
#include "kernels/bench/drawn_inputs.h"
#include "kernels/verify/tensors.h"
#include "sim/programs/ragged.h"

namespace bench {

/// Elements of one tensor: of the kernel, in double, and by the plain formula in the dtype.
struct Compared {
  std::vector<float> kernel;
  std::vector<double> reference;
  std::vector<float> plain;
};

/// A place where samples are taken: the first, a middle and the last `count` of an axis, in the first, a middle and the
/// last query head of all batch entries.
struct SamplePlace {
  sim::HeadInClass at;
  sim::Interval elements;
  const sim::Problem& problem() const { return at.plan.problem; }
  const sim::Shape& shape() const { return at.plan.problem.shape; }
  std::int64_t kv_head() const;  ///< that its query head reads, counted over the batch entries of its class
};
std::vector<SamplePlace> sample_places(const sim::Plan& plan, std::int64_t sim::Shape::*length, std::int64_t count);

/// The elements of rows of a query head or a KV head of the place's class, where the rows of all classes follow each
/// other; and some elements of a tensor.
sim::Interval query_elements(const SamplePlace& place, std::int64_t head, sim::Interval rows);
sim::Interval key_elements(const SamplePlace& place, std::int64_t kv_head, sim::Interval rows);
std::vector<float> part(const std::vector<float>& all, sim::Interval elements);

/// O or dQ of 16 rows at each place. Query rows [a, b) of a head and the keys they may see, [0, Nk') with
/// Nk' = b + Nk - Nq where causal, else all, are an attention with b - a queries: the diagonal is aligned bottom-right.
std::vector<Compared> compared_rows(const sim::Plan& plan, const kernels::Tensors& tensors, sim::Tensor tensor,
                                    DrawnInputs& inputs);

}  // namespace bench
