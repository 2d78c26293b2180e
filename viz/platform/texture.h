// The glyph atlas as read by soft_raster: one byte per texel, bilinear.
#pragma once
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace platform {

/// A texture coordinate or distance in 1/65536 texel. Texel 0 has its centre at 0.
using Texels = std::int64_t;

class Texture {
 public:
  explicit Texture(ImFontAtlas& atlas) { atlas.GetTexDataAsAlpha8(&texels_, &width_, &height_); }

  /// Texel coordinates of texture coordinates 0..1.
  Texels across(float u) const { return std::llround((static_cast<double>(u) * width_ - 0.5) * 65536); }
  Texels down(float v) const { return std::llround((static_cast<double>(v) * height_ - 0.5) * 65536); }

  /// Coverage 0..255, interpolated between the four texels around (u, v); the border texels extend outwards.
  unsigned sample(Texels u, Texels v) const {
    const std::uint8_t* upper = row(v >> 16);
    const auto down = static_cast<unsigned>(v >> 8 & 255);
    const unsigned above = between(upper, u);
    if (down == 0) return (above + 128) >> 8;  // text is aligned to rows: one is enough
    return (above * (256 - down) + between(row((v >> 16) + 1), u) * down + 32768) >> 16;
  }

 private:
  const std::uint8_t* row(Texels y) const { return texels_ + std::clamp<Texels>(y, 0, height_ - 1) * width_; }
  /// Interpolates between two texels of a row, times 256.
  unsigned between(const std::uint8_t* row, Texels u) const {
    const auto right = static_cast<unsigned>(u >> 8 & 255);
    const Texels x = u >> 16;
    const unsigned a = row[std::clamp<Texels>(x, 0, width_ - 1)], b = row[std::clamp<Texels>(x + 1, 0, width_ - 1)];
    return a * (256 - right) + b * right;
  }
  unsigned char* texels_ = nullptr;
  int width_ = 0, height_ = 0;
};

}  // namespace platform
