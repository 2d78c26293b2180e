// Samples of query rows of O or dQ, and their expected values.
#pragma once
#include "kernels/bench/drawn_inputs.h"
#include "kernels/verify/tensors.h"
#include "sim/programs/ragged.h"

namespace bench {

/// Elements of one tensor: from the kernel, in double, and by the plain formula in the dtype.
struct Compared {
  std::vector<float> kernel;
  std::vector<double> reference;
  std::vector<float> plain;
};

/// Position of samples: the first, a middle or the last `count` of an axis, in the first, a middle or the last query
/// head of all batch entries.
struct SamplePlace {
  sim::HeadInClass at;
  sim::Interval elements;
  const sim::Problem& problem() const { return at.plan.problem; }
  const sim::Shape& shape() const { return at.plan.problem.shape; }
  std::int64_t kv_head() const;  ///< the one its query head reads, indexed over the batch entries of its class
};
std::vector<SamplePlace> sample_places(const sim::Plan& plan, std::int64_t sim::Shape::*length, std::int64_t count);

/// Ranges of rows of a query head or a KV head of the position's class, in a tensor that stores the rows of all classes
/// one after another; part() copies such a range.
sim::Interval query_elements(const SamplePlace& place, std::int64_t head, sim::Interval rows);
sim::Interval key_elements(const SamplePlace& place, std::int64_t kv_head, sim::Interval rows);
std::vector<float> part(const std::vector<float>& all, sim::Interval elements);

/// Compares O or dQ of 16 rows at each position. Query rows [a, b) of a head and the keys they may see, [0, Nk') with
/// Nk' = b + Nk - Nq if causal, else all, form an attention with b - a queries: the diagonal is aligned bottom-right.
std::vector<Compared> compared_rows(const sim::Plan& plan, const kernels::Tensors& tensors, sim::Tensor tensor,
                                    DrawnInputs& inputs);

}  // namespace bench
