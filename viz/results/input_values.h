// Warnings about the values of given inputs.
#pragma once
#include "viz/results/value_request.h"

namespace results {

/// Warnings for inputs that are drawn, that lose digits in the dtype of the run, or whose values become infinite in it,
/// or are NaN or infinite as given.
std::vector<std::string> input_warnings(const ValueRequest& request);

}  // namespace results
