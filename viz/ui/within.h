// Keeping a thing within its bounds.
#pragma once
#include <algorithm>

namespace ui {

/// The position nearest to `middle` for a thing that reaches `half` to both sides, so that it stays within [from, to];
/// if it is larger than that, the middle of them.
inline float kept_within(float middle, float half, float from, float to) {
  return to - from < 2 * half ? (from + to) / 2 : std::clamp(middle, from + half, to - half);
}

}  // namespace ui
