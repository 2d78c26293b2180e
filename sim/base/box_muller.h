// Normal numbers from uniform ones. Source: Box and Muller 1958.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sim {

/// Two independent N(0, 1) values from two random words: sqrt(-2 log u) (cos, sin)(2 pi w), u in (0, 1), w in [0, 1).
/// In double, so that rounding to fp32 hides how the math libraries differ in their last bits.
std::array<float, 2> box_muller(std::uint32_t radius_word, std::uint32_t angle_word);

/// A batch of word pairs, and the normal values computed from them.
struct NormalPairs {
  static constexpr std::size_t count = 64;
  std::array<std::uint32_t, count> radius_words, angle_words;
  std::array<float, count> cosines, sines;

  /// Computes the values of box_muller(), bit for bit, several times as fast.
  void make();
};

}  // namespace sim
