#include "sim/base/quantise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "sim/base/attention.h"
#include "sim/base/check.h"

namespace sim {

std::vector<float> numbers_of_e4m3() {
  std::vector<float> numbers = {0};
  for (int code = 1; code < 127; ++code) {  // 127 is NaN
    const int exponent = code / 8, mantissa = code % 8;
    const float x = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                                  : std::ldexp(static_cast<float>(8 + mantissa), exponent - 10);
    numbers.insert(numbers.end(), {x, -x});
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

float e4m3_scale(std::span<const float> values) {
  float largest = 0;
  for (const float x : values) {
    if (std::isnan(x)) return std::numeric_limits<float>::quiet_NaN();
    largest = std::max(largest, std::abs(x));
  }
  const float scale = largest / largest_e4m3;
  return scale == 0 ? 1 : scale;  // 0 also for magnitudes that no fp32 scale is small enough for
}

void quantise(std::span<float> values, float scale) {
  for (float& x : values) x /= scale;
  round_all(Dtype::e4m3, values);
}

void check_rotation(std::int64_t d) {
  require(is_power_of_two(d), "rotate: a Hadamard matrix has a power of two of rows, and head-dim is ", d,
          ": use --rotate 0");
}

Rotation::Rotation(std::int64_t d, std::uint64_t seed) {
  check_rotation(d);
  signs_ = draw_elements({0, d}, Dtype::fp32, seed, DrawnTensor::signs);
  const float size = 1 / std::sqrt(static_cast<float>(d));
  for (float& sign : signs_) sign = sign < 0 ? -size : size;
}

/// The fast Walsh-Hadamard transform: log2(d) steps, each of sums and differences of pairs.
void Rotation::apply(std::span<float> row) const {
  const std::size_t d = signs_.size();
  std::transform(row.begin(), row.end(), signs_.begin(), row.begin(), std::multiplies<>());
  for (std::size_t half = 1; half < d; half *= 2) {
    for (std::size_t n = 0; n < d; ++n) {
      if ((n & half) != 0) continue;
      const float a = row[n], b = row[n + half];
      row[n] = a + b;
      row[n + half] = a - b;
    }
  }
}

}  // namespace sim
