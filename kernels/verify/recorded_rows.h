// Rows of a verdict from recordings of a GPU, for users who have none.
#pragma once
#include <string_view>
#include <vector>

#include "kernels/measurements/recorded.h"
#include "kernels/verify/verdict.h"

namespace kernels {

/// A row for each quantity recorded for this kernel in the program's scenario on its GPU: time and hardware counters.
/// Equal to the row that a GPU would give here, but its cause begins with "recorded: " and the recording's label. It
/// never fails.
std::vector<VerdictRow> recorded_rows(const sim::Simulation& program, std::string_view kernel,
                                      const std::vector<measurements::Recording>& recordings);

}  // namespace kernels
