// Warnings about the values of given inputs.
#pragma once
#include "viz/results/value_request.h"

namespace results {

/// Which inputs are drawn, which lose digits in the dtype of the run, and which values become infinite in it, or are
/// NaN or infinite as they were given.
std::vector<std::string> input_warnings(const ValueRequest& request);

}  // namespace results
