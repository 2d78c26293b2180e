// Random inputs from a counter: no state, so an element is the same however many others are drawn, and on any machine.
// Source: Philox4x32-10, Salmon et al. 2011 (Random123); normal numbers by Box and Muller 1958.
#include <Random123/philox.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "sim/base/attention.h"
#include "sim/base/check.h"
#include "sim/base/units.h"

namespace sim {
namespace {

constexpr std::int64_t largest_draw = std::int64_t{1} << 31;  // elements of one tensor: 8 GiB

std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

/// Two independent N(0, 1) values from two random words: sqrt(-2 log u) (cos, sin)(2 pi w), u in (0, 1), w in [0, 1).
/// In double, so that rounding to fp32 hides how the math libraries differ in their last bits.
std::array<float, 2> box_muller(std::uint32_t radius_word, std::uint32_t angle_word) {
  const double radius = std::sqrt(-2.0 * std::log((radius_word + 0.5) * 0x1p-32));
  const double angle = 2.0 * std::numbers::pi * (angle_word * 0x1p-32);
  return {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle))};
}

/// Elements 4 block to 4 block + 3 of a tensor, from one Philox call on the counter (block, tensor, 0); dropout has 1
/// as its last word.
std::array<float, 4> draw_block(std::uint64_t seed, std::uint32_t tensor, std::uint64_t block) {
  const r123::Philox4x32::ctr_type counter = {{low_word(block), high_word(block), tensor, 0}};
  const r123::Philox4x32::key_type key = {{low_word(seed), high_word(seed)}};
  const auto word = r123::Philox4x32()(counter, key);
  const auto [a, b] = box_muller(word[0], word[1]);
  const auto [c, d] = box_muller(word[2], word[3]);
  return {a, b, c, d};
}

std::vector<float> draw_tensor(std::int64_t size, Dtype dtype, std::uint64_t seed, DrawnTensor tensor) {
  require(size <= largest_draw, "draw_inputs: a tensor has ", size, " elements, allowed are at most ", largest_draw,
          " (2^31): use smaller sizes");
  return draw_elements({0, size}, dtype, seed, tensor);
}

}  // namespace

std::vector<float> draw_elements(Interval elements, Dtype dtype, std::uint64_t seed, DrawnTensor tensor) {
  require(elements.begin >= 0, "draw_inputs: elements from ", elements.begin, " on: they begin at 0");
  std::vector<float> values(static_cast<std::size_t>(elements.size()));
  auto n = static_cast<std::uint64_t>(elements.begin);
  std::array<float, 4> drawn = draw_block(seed, static_cast<std::uint32_t>(tensor), n / 4);
  for (float& value : values) {
    if (n % 4 == 0) drawn = draw_block(seed, static_cast<std::uint32_t>(tensor), n / 4);
    value = drawn[n++ % 4];
  }
  round_all(dtype, values);
  return values;
}

AttentionInputs draw_inputs(const Shape& shape, Dtype dtype, std::uint64_t seed) {
  shape.check();
  const std::int64_t queries = product(shape.batch, shape.heads, shape.seqlen_q, shape.head_dim);
  const std::int64_t keys = product(shape.batch, shape.kv_heads, shape.seqlen_k, shape.head_dim);
  return {draw_tensor(queries, dtype, seed, DrawnTensor::Q),
          draw_tensor(keys, dtype, seed, DrawnTensor::K),
          draw_tensor(keys, dtype, seed, DrawnTensor::V),
          {}};
}

std::vector<float> draw_output_gradient(const Shape& shape, Dtype dtype, std::uint64_t seed) {
  return draw_tensor(product(shape.batch, shape.heads, shape.seqlen_q, shape.head_dim), dtype, seed, DrawnTensor::dO);
}
}  // namespace sim
