// Arrays and values of a ragged batch: files hold packed rows, (total, H, d), as in variable-length kernels.
#pragma once
#include "viz/results/value_request.h"

namespace results {

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

}  // namespace results
