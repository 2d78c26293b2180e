// Random inputs from a counter-based generator: without state, so an element is independent of how many others are
// drawn, and equal on any machine.
// Source: Philox4x32-10, Salmon et al. 2011 (Random123).
#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/base/attention.h"
#include "sim/base/box_muller.h"
#include "sim/base/check.h"
#include "sim/base/interrupt.h"
#include "sim/base/units.h"

namespace sim {
namespace {

std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

/// Four random words from one Philox call on the counter (block, tensor, 0); dropout has 1 as its last word.
r123::Philox4x32::ctr_type draw_words(std::uint64_t seed, std::uint32_t tensor, std::uint64_t block) {
  const r123::Philox4x32::ctr_type counter = {{low_word(block), high_word(block), tensor, 0}};
  const r123::Philox4x32::key_type key = {{low_word(seed), high_word(seed)}};
  return r123::Philox4x32()(counter, key);
}

constexpr std::size_t blocks_at_once = NormalPairs::count / 2;  // a block of four elements is two pairs
using DrawnBlocks = std::array<float, 4 * blocks_at_once>;

/// Draws the elements from 4 block on.
DrawnBlocks draw_blocks(std::uint64_t seed, std::uint32_t tensor, std::uint64_t block) {
  NormalPairs pairs;
  for (std::size_t n = 0; n < blocks_at_once; ++n) {
    const auto word = draw_words(seed, tensor, block + n);
    for (std::size_t half = 0; half < 2; ++half) {
      pairs.radius_words[2 * n + half] = word[2 * half];
      pairs.angle_words[2 * n + half] = word[2 * half + 1];
    }
  }
  pairs.make();
  DrawnBlocks drawn;
  for (std::size_t n = 0; n < NormalPairs::count; ++n) {
    drawn[2 * n] = pairs.cosines[n];
    drawn[2 * n + 1] = pairs.sines[n];
  }
  return drawn;
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
  auto at = values.begin();
  for (auto n = static_cast<std::uint64_t>(elements.begin); at != values.end();) {
    check_interrupt();
    const DrawnBlocks drawn = draw_blocks(seed, static_cast<std::uint32_t>(tensor), n / 4);
    const auto first = drawn.begin() + static_cast<std::ptrdiff_t>(n % 4);
    const std::ptrdiff_t size = std::min(drawn.end() - first, values.end() - at);
    at = std::copy_n(first, size, at);
    n += static_cast<std::uint64_t>(size);
  }
  round_all(given_dtype(dtype), values);
  return values;
}

std::vector<float> draw_with_outliers(Interval elements, Dtype dtype, std::uint64_t seed, DrawnTensor tensor) {
  constexpr std::uint32_t choices = 8, sizes = 16;  // numbers of their own in the counter
  constexpr std::uint32_t chosen = 4'294'967;       // 0.001 x 2^32
  constexpr float deviation = 10;
  std::vector<float> values = draw_elements(elements, Dtype::fp32, seed, tensor);
  const auto number = static_cast<std::uint32_t>(tensor);
  const auto size = static_cast<DrawnTensor>(number + sizes);
  for (std::int64_t n = elements.begin; n < elements.end; ++n) {
    const auto words = draw_words(seed, number + choices, static_cast<std::uint64_t>(n) / 4);
    if (words[static_cast<std::size_t>(n % 4)] >= chosen) continue;
    values[static_cast<std::size_t>(n - elements.begin)] +=
        deviation * draw_elements({n, n + 1}, Dtype::fp32, seed, size).front();
  }
  round_all(given_dtype(dtype), values);
  return values;
}

AttentionInputs draw_inputs(const Shape& shape, Dtype dtype, std::uint64_t seed) {
  shape.check();
  const std::int64_t queries = product(shape.batch, shape.heads, shape.seqlen_q, shape.head_dim);
  const std::int64_t keys = product(shape.batch, shape.kv_heads, shape.seqlen_k);
  AttentionInputs inputs{draw_tensor(queries, dtype, seed, DrawnTensor::Q),
                         draw_tensor(product(keys, shape.head_dim), dtype, seed, DrawnTensor::K),
                         {},
                         {}};
  inputs.v = shape.kv_shared ? values_in(inputs.k, shape.head_dims())
                             : draw_tensor(product(keys, shape.value_dim()), dtype, seed, DrawnTensor::V);
  return inputs;
}

std::vector<float> values_in(const std::vector<float>& k, HeadDims dims) {
  std::vector<float> v;
  v.reserve(k.size() / static_cast<std::size_t>(dims.qk) * static_cast<std::size_t>(dims.v));
  for (auto row = k.begin(); row != k.end(); row += dims.qk) v.insert(v.end(), row, row + dims.v);
  return v;
}

std::vector<float> draw_output_gradient(const Shape& shape, Dtype dtype, std::uint64_t seed) {
  return draw_tensor(product(shape.batch, shape.heads, shape.seqlen_q, shape.value_dim()), dtype, seed,
                     DrawnTensor::dO);
}
}  // namespace sim
