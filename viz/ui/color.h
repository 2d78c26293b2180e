// Colours in sRGB: mixing, and readability of one on another.
// Source: WCAG 2.1, relative luminance and contrast ratio.
#pragma once
#include <cstdint>

namespace ui {

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0, alpha = 255;
  bool operator==(const Color&) const = default;
};

/// Opaque colour from hexadecimal notation: rgb(0x47C1F0).
constexpr Color rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex),
          255};
}

/// `from` with a share 0..1 of `to`, channel by channel in sRGB.
Color mix(Color from, Color to, float share);

/// The colour with an opacity: alpha 0..1.
Color with_alpha(Color color, float alpha);

/// Relative luminance: 0.2126 R + 0.7152 G + 0.0722 B of the linear channels, 0 (black) to 1 (white).
double luminance(Color color);

/// (lighter + 0.05) / (darker + 0.05): 1 to 21. Text needs 4.5.
double contrast(Color a, Color b);

/// `color` mixed toward `text`, as little as needed for a contrast of at least 4.5 on `surface`, or `text` itself.
Color readable(Color color, Color surface, Color text);

/// Black or white, whichever is more readable on `fill`: a contrast of at least 4.5 on every colour.
Color text_on(Color fill);

}  // namespace ui
