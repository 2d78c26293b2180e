// The guided tour: ten views of attention, from the matrix of N x N to FlashAttention-2. A step is a link that the
// explorer follows, the panel that it points at, and what it claims; en.md and zh.md beside this file hold the words.
// Every number in them comes from the runs of the step, and tests/explorer/tour_test.cpp holds the claims to the runs:
// the tour cannot lie.
#pragma once
#include <string_view>
#include <vector>

namespace tour {

/// A run that a step compares its own with: the step's link with these keys changed.
struct Other {
  std::string_view name, link;
};

struct Step {
  std::string_view link;   ///< scenario, place, time, panel in the middle
  std::string_view panel;  ///< what it points at, a field of ui::Layout: "matrix", "memory", "timeline", ...
  std::vector<Other> others;
  std::vector<std::string_view> claims;  ///< "time.microseconds < standard time.microseconds", see facts.h
};

/// The ten steps in order.
const std::vector<Step>& steps();

}  // namespace tour
