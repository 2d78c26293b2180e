#include "viz/ui/theme.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ui {
namespace {

constexpr std::array<std::uint32_t, 9> cividis = {0x2A4C8F, 0x39578C, 0x55648A, 0x6D7389, 0x868388,
                                                  0xA09480, 0xBDA773, 0xDBBE62, 0xFEE838};

/// Colours of an order. `last` replaces the yellow end, which is too bright for white cards.
std::array<Color, 9> order_colors(std::uint32_t last) {
  std::array<Color, 9> colors{};
  for (std::size_t n = 0; n < colors.size(); ++n) colors[n] = rgb(n + 1 < colors.size() ? cividis[n] : last);
  return colors;
}

constexpr std::string_view letters = "QKVSPO";

}  // namespace

bool is_tensor(char letter) { return letters.find(letter) != std::string_view::npos; }

Color Theme::tensor(char letter) const {
  const std::size_t place = letters.find(letter);
  sim::require(place < tensors.size(), "theme: no tensor is called '", letter, "'; there are ", letters);
  return tensors[place];
}

Color Theme::tensor(char letter, Phase phase) const {
  const float share = phase == Phase::active ? 0.f : phase == Phase::done ? 0.28f : 0.7f;
  return mix(tensor(letter), inset, share);
}

Color Theme::in_order(float share) const {
  const float at = std::clamp(share, 0.f, 1.f) * static_cast<float>(order.size() - 1);
  const std::size_t stop = std::min(order.size() - 2, static_cast<std::size_t>(at));
  return mix(order[stop], order[stop + 1], at - static_cast<float>(stop));
}

Theme dark_theme() {
  return {.dark = true,
          .window = rgb(0x0D1015),
          .card = rgb(0x151A21),
          .border = rgb(0x262D38),
          .inset = rgb(0x0F1319),
          .track = rgb(0x222934),
          .text = rgb(0xE8ECF2),
          .muted = rgb(0x9AA6B5),
          .faint = rgb(0x647082),
          .strong = rgb(0xFFFFFF),
          .on_strong = rgb(0x0D1015),
          .warning = rgb(0xF0A63A),
          .tile_to_do = rgb(0x232B37),
          .tile_done = rgb(0x55627A),
          .skipped = rgb(0x3A4454),
          .tensors = {rgb(0x47C1F0), rgb(0xE7A901), rgb(0x10976E), rgb(0xFFFF8D), rgb(0xDB451F), rgb(0xB36B99)},
          .order = order_colors(cividis.back())};
}

Theme light_theme() {
  return {.dark = false,
          .window = rgb(0xF3F5F8),
          .card = rgb(0xFFFFFF),
          .border = rgb(0xDCE1E8),
          .inset = rgb(0xF6F8FA),
          .track = rgb(0xE6EAF0),
          .text = rgb(0x151A21),
          .muted = rgb(0x56616F),
          .faint = rgb(0x8893A1),
          .strong = rgb(0x151A21),
          .on_strong = rgb(0xFFFFFF),
          .warning = rgb(0xA85F00),
          .tile_to_do = rgb(0xE9EDF2),
          .tile_done = rgb(0x9CA8B8),
          .skipped = rgb(0xDDE2E9),
          .tensors = {rgb(0x0952CC), rgb(0xCE7200), rgb(0x16B489), rgb(0xFFCD00), rgb(0x9F2508), rgb(0xA987B5)},
          .order = order_colors(0xE3C92F)};
}

}  // namespace ui
