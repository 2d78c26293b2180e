// Colours in a terminal. As in the explorer, a colour always means a tensor, and only repeats its letter.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace terminal {

/// A tensor and its colour among the terminal's 256: the explorer's hue, in a lightness readable on black and on white.
struct TensorColour {
  char tensor;
  int number;         ///< index among the 256
  std::uint32_t rgb;  ///< RGB value of that index, for tests
};
inline constexpr std::array<TensorColour, 6> tensor_colours = {{{'Q', 32, 0x0087D7},
                                                                {'K', 130, 0xAF5F00},
                                                                {'V', 29, 0x00875F},
                                                                {'S', 100, 0x878700},
                                                                {'P', 160, 0xD70000},
                                                                {'O', 133, 0xAF5FAF}}};

/// Colours the names of tensors in a text: words made only of the letters Q K V S P O (QK, S, not SMs), or of d and one
/// of them. O(N d) is not a tensor.
std::string in_colours(std::string_view text);

}  // namespace terminal
