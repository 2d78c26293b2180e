// A picture in memory.
#pragma once
#include <cstdint>
#include <vector>

#include "viz/ui/color.h"

namespace platform {

/// Rows from the top, four bytes a pixel in the order red, green, blue, alpha.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;

  ui::Color at(int x, int y) const {
    const std::size_t i =
        (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 4;
    return {rgba[i], rgba[i + 1], rgba[i + 2], rgba[i + 3]};
  }
  bool operator==(const Picture&) const = default;
};

}  // namespace platform
