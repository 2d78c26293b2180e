// Tensors of a run in the form of .npy files.
#pragma once
#include "viz/results/value_request.h"

namespace results {

/// Batch, heads, rows, columns.
inline HeadSizes npy_sizes(const sim::Problem& problem, sim::Tensor tensor) {
  const sim::HbmTensor& like = problem.hbm[tensor];
  return {problem.shape.batch, like.per_kv_head() ? problem.shape.kv_heads : problem.shape.heads, like.rows, like.cols};
}

/// The axes of a tensor's file of a rank; statistics have one axis fewer.
inline std::vector<std::int64_t> npy_axes(const sim::Problem& problem, sim::Tensor tensor,
                                          HeadLayout layout = HeadLayout::bhnd, std::size_t rank = 4) {
  std::vector<std::int64_t> axes = axes_in(layout, npy_sizes(problem, tensor), rank);
  if (sim::is_statistic(tensor)) axes.pop_back();
  return axes;
}

/// An output in the form of its file: in the layout and rank of Q, statistics with one dimension fewer; packed rows,
/// (total, H, d), for a ragged batch.
struct NpyTensor {
  std::vector<std::int64_t> axes;
  std::vector<float> values;
};
NpyTensor npy_tensor(const ValueRequest& request, const sim::Plan& plan, sim::Tensor name, std::vector<float> values);

/// The .npy type: f2 for fp16, otherwise f4, also for bf16, which .npy lacks.
inline const char* npy_dtype(sim::Dtype dtype) { return dtype == sim::Dtype::fp16 ? "f2" : "f4"; }

}  // namespace results
