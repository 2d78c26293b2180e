// Pixel writes of soft_raster: opaque, clipped, blended in bytes.
#pragma once
#include <algorithm>
#include <cstring>

#include "viz/platform/picture.h"

namespace platform {

/// x / 255 rounded to the nearest, for 0 <= x <= 65535: exact.
constexpr unsigned over_255(unsigned x) { return (x + 128 + ((x + 128) >> 8)) >> 8; }

/// A box of whole pixels, including left and top, excluding right and bottom.
struct Box {
  int left, top, right, bottom;
};

inline Box common(Box a, Box b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

/// Writes to an opaque picture.
class Pixels {
 public:
  explicit Pixels(Picture& picture) : bytes_(picture.rgba.data()), width_(static_cast<std::size_t>(picture.width)) {}

  /// The pixels of a row from column x.
  std::uint8_t* at(int x, int y) const {
    return bytes_ + (static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)) * 4;
  }

  /// Blends one pixel: color * alpha + old * (255 - alpha), alpha of 255.
  static void blend(std::uint8_t* pixel, ui::Color color, unsigned alpha) {
    const unsigned rest = 255 - alpha;
    pixel[0] = static_cast<std::uint8_t>(over_255(color.red * alpha + pixel[0] * rest));
    pixel[1] = static_cast<std::uint8_t>(over_255(color.green * alpha + pixel[1] * rest));
    pixel[2] = static_cast<std::uint8_t>(over_255(color.blue * alpha + pixel[2] * rest));
  }

  /// Fills pixels left .. right - 1 of a row with one colour.
  void span(int left, int right, int y, ui::Color color) const {
    std::uint8_t* pixel = at(left, y);
    if (color.alpha == 255) {
      const std::uint8_t bytes[4] = {color.red, color.green, color.blue, 255};
      for (int x = left; x < right; ++x, pixel += 4) std::memcpy(pixel, bytes, 4);
    } else if (color.alpha > 0) {
      for (int x = left; x < right; ++x, pixel += 4) blend(pixel, color, color.alpha);
    }
  }

 private:
  std::uint8_t* bytes_;
  std::size_t width_;
};

}  // namespace platform
