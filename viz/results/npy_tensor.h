// Tensors of a run in the form of .npy files.
#pragma once
#include "viz/results/value_request.h"

namespace results {

// Arrays and values of a ragged batch: files hold packed rows, (total, H, d), as in variable-length kernels.

/// Takes heads and d from the given arrays. Throws sim::Error if they contradict an option, or if their number of rows
/// is not the total of `seqlens`.
void take_packed_sizes(const ValueRequest& request, sim::OptionValues& values);

/// Converts values of a file of packed rows to entry after entry, each (H, N, d), and back.
std::vector<float> from_packed(const sim::SequenceClasses& classes, sim::Tensor tensor, std::int64_t heads,
                               std::int64_t cols, const std::vector<float>& values);
std::vector<float> to_packed(const sim::SequenceClasses& classes, sim::Tensor tensor, std::int64_t heads,
                             std::int64_t cols, const std::vector<float>& values);

/// Total rows of a tensor over all batch entries.
std::int64_t packed_rows(const sim::SequenceClasses& classes, sim::Tensor tensor);

/// Computes the values of each class of entries. An error relative to the largest value is that of the worst class.
Values compute_classes(const sim::Plan& plan, const sim::AttentionInputs& inputs, sim::Progress progress);

/// Batch, heads, rows, columns: those of the scenario. Kernels may see other axes of the same memory (Program::view).
inline HeadSizes npy_sizes(const sim::Plan& plan, sim::Tensor tensor) {
  const sim::HbmTensor& seen = plan.problem.hbm[tensor];
  const sim::Shape& shape = plan.scenario.shape;
  const std::int64_t heads = seen.per_kv_head() ? shape.kv_heads : shape.heads, batch = plan.problem.shape.batch;
  const std::int64_t rows = seen.owner_count(plan.problem.shape) * seen.rows / (batch * heads);
  return {batch, heads, rows, seen.cols};
}

/// The axes of a tensor's file of a rank; statistics have one axis fewer.
inline std::vector<std::int64_t> npy_axes(const sim::Plan& plan, sim::Tensor tensor,
                                          HeadLayout layout = HeadLayout::bhnd, std::size_t rank = 4) {
  std::vector<std::int64_t> axes = axes_in(layout, npy_sizes(plan, tensor), rank);
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
