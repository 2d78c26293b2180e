// Arrays and values of a ragged batch: files hold packed rows, (total, H, d), as kernels with variable lengths take
// them.
#pragma once
#include "viz/results/value_request.h"

namespace results {

/// Takes heads and d of the arrays that are given. Throws sim::Error where they contradict an option, or have not as
/// many rows as the entries of `seqlens` together.
void take_packed_sizes(const ValueRequest& request, sim::OptionValues& values);

/// Values entry after entry, each (H, N, d), from those of a file of packed rows, and back.
std::vector<float> from_packed(const sim::SequenceClasses& classes, sim::Tensor tensor, std::int64_t heads,
                               std::int64_t cols, const std::vector<float>& values);
std::vector<float> to_packed(const sim::SequenceClasses& classes, sim::Tensor tensor, std::int64_t heads,
                             std::int64_t cols, const std::vector<float>& values);

/// Rows of a tensor that all batch entries have together.
std::int64_t packed_rows(const sim::SequenceClasses& classes, sim::Tensor tensor);

/// Values of every class of entries in turn. An error relative to the largest value is that of the worst class.
Values compute_classes(const sim::Plan& plan, const sim::AttentionInputs& inputs, sim::Progress progress);

}  // namespace results
