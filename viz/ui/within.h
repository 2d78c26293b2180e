// Keeps a thing within bounds.
#pragma once
#include <algorithm>

namespace ui {

/// Position nearest to `middle` for a thing that extends `half` to both sides, such that it stays within [from, to]; if
/// it is larger than that, their middle.
inline float kept_within(float middle, float half, float from, float to) {
  return to - from < 2 * half ? (from + to) / 2 : std::clamp(middle, from + half, to - half);
}

}  // namespace ui
