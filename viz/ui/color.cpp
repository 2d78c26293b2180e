#include "viz/ui/color.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/draw/steady.h"

namespace ui {
namespace {

std::uint8_t mix_channel(std::uint8_t from, std::uint8_t to, float share) {
  return static_cast<std::uint8_t>(
      std::lround(static_cast<float>(from) * (1 - share) + static_cast<float>(to) * share));
}

std::array<double, 256> linear_channels() {
  std::array<double, 256> all{};
  for (int channel = 0; channel < 256; ++channel) {
    const double c = channel / 255.0;
    all[static_cast<std::size_t>(channel)] = c <= 0.04045 ? c / 12.92 : draw::steady::power((c + 0.055) / 1.055, 2.4);
  }
  return all;
}

double linear(std::uint8_t channel) {
  static const std::array<double, 256> all = linear_channels();  // a constant
  return all[channel];
}

}  // namespace

Color mix(Color from, Color to, float share) {
  const float s = std::clamp(share, 0.f, 1.f);
  return {mix_channel(from.red, to.red, s), mix_channel(from.green, to.green, s), mix_channel(from.blue, to.blue, s),
          mix_channel(from.alpha, to.alpha, s)};
}

Color with_alpha(Color color, float alpha) {
  color.alpha = static_cast<std::uint8_t>(std::lround(255 * std::clamp(alpha, 0.f, 1.f)));
  return color;
}

double luminance(Color color) {
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

double contrast(Color a, Color b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Color readable(Color color, Color surface, Color text) {
  for (int percent = 0; percent < 100; percent += 4) {
    const Color mixed = mix(color, text, static_cast<float>(percent) / 100);
    if (contrast(mixed, surface) >= 4.5) return mixed;
  }
  return text;
}

Color text_on(Color fill) {
  const Color black = rgb(0x000000), white = rgb(0xFFFFFF);
  return contrast(black, fill) >= contrast(white, fill) ? black : white;
}

}  // namespace ui
