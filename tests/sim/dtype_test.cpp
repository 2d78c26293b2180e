#include "sim/base/dtype.h"

#include <Eigen/Core>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

namespace sim {
namespace {

constexpr Dtype short_types[] = {Dtype::fp16, Dtype::bf16};

std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }

/// True if the bits are equal, or both are NaN.
bool same(float a, float b) { return std::isnan(a) ? std::isnan(b) : bits_of(a) == bits_of(b); }

/// Converts independently: through Eigen's 16-bit types and back.
float converted(Dtype dtype, float value) {
  if (dtype == Dtype::fp16) return static_cast<float>(Eigen::half(value));
  return static_cast<float>(Eigen::bfloat16(value));
}

float value_of_bits(Dtype dtype, std::uint16_t bits) {
  if (dtype == Dtype::bf16) return __builtin_bit_cast(float, std::uint32_t{bits} << 16);
  return static_cast<float>(Eigen::half_impl::half_to_float(Eigen::half_impl::raw_uint16_to_half(bits)));
}

/// The number of values that round_to rounds differently from Eigen.
int differences(Dtype dtype, const std::vector<float>& values) {
  int count = 0;
  for (const float value : values) count += !same(round_to(dtype, value), converted(dtype, value));
  return count;
}

std::vector<float> random_bits(std::size_t count) {
  std::mt19937 engine(7);
  std::vector<float> values(count);
  for (float& value : values) value = __builtin_bit_cast(float, static_cast<std::uint32_t>(engine()));
  return values;
}

}  // namespace

TEST_CASE("types have their sizes and names") {
  CHECK(size_of(Dtype::fp16) == 2);
  CHECK(size_of(Dtype::bf16) == 2);
  CHECK(size_of(Dtype::fp32) == 4);
  CHECK(size_of(Dtype::e4m3) == 1);
  CHECK(size_of(Dtype::u8) == 1);
  CHECK(size_of(Dtype::i32) == 4);
  CHECK(name_of(Dtype::fp16) == "fp16");
  CHECK(name_of(Dtype::bf16) == "bf16");
  CHECK(name_of(Dtype::fp32) == "fp32");
  CHECK(name_of(Dtype::e4m3) == "e4m3");
  CHECK(result_dtype(Dtype::e4m3) == Dtype::bf16);
  CHECK(result_dtype(Dtype::fp16) == Dtype::fp16);
  CHECK(given_dtype(Dtype::e4m3) == Dtype::fp32);
}

TEST_CASE("rounding leaves every fp16 and bf16 value as it is") {
  for (const Dtype dtype : short_types) {
    int changed = 0;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      const float value = value_of_bits(dtype, static_cast<std::uint16_t>(bits));
      changed += !same(round_to(dtype, value), value);
    }
    CHECK(changed == 0);
  }
}

TEST_CASE("rounding agrees with Eigen around every halfway point") {
  for (const Dtype dtype : short_types) {
    std::vector<float> values;
    for (std::uint32_t bits = 0; bits + 1 < 65536; ++bits) {
      const double low = value_of_bits(dtype, static_cast<std::uint16_t>(bits));
      const double high = value_of_bits(dtype, static_cast<std::uint16_t>(bits + 1));
      const auto halfway = static_cast<float>((low + high) / 2);
      for (const float value : {halfway, std::nextafter(halfway, 1e38f), std::nextafter(halfway, -1e38f)})
        values.push_back(value);
    }
    CHECK(differences(dtype, values) == 0);
  }
}

TEST_CASE("rounding agrees with Eigen on random bits") {
  for (const Dtype dtype : short_types) CHECK(differences(dtype, random_bits(1'000'000)) == 0);
}

TEST_CASE("ties go to even, overflow to infinity, NaN and signs stay") {
  CHECK(round_to(Dtype::fp16, 2049.0f) == 2048.0f);
  CHECK(round_to(Dtype::fp16, 2051.0f) == 2052.0f);
  CHECK(round_to(Dtype::bf16, 257.0f) == 256.0f);
  CHECK(round_to(Dtype::bf16, 259.0f) == 260.0f);
  CHECK(round_to(Dtype::fp16, 65519.0f) == 65504.0f);
  CHECK(round_to(Dtype::fp16, 65520.0f) == INFINITY);
  CHECK(round_to(Dtype::fp16, -65520.0f) == -INFINITY);
  CHECK(round_to(Dtype::bf16, 3.4e38f) == INFINITY);
  CHECK(round_to(Dtype::fp16, 0x1p-25f) == 0.0f);
  CHECK(round_to(Dtype::fp16, 0x1.8p-25f) == 0x1p-24f);
  for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32}) {
    CHECK(round_to(dtype, INFINITY) == INFINITY);
    CHECK(std::isnan(round_to(dtype, NAN)));
    CHECK(std::isnan(round_to(dtype, __builtin_bit_cast(float, 0xff80'0001u))));  // a NaN with low mantissa bits only
    CHECK(std::signbit(round_to(dtype, -0.0f)));
  }
}

namespace {

/// Value of a code of e4m3, by its definition: sign, 4 exponent bits with bias 7, 3 mantissa bits; NaN is 0x7f and
/// 0xff.
double value_of_code(unsigned code) {
  const unsigned exponent = code >> 3 & 15, mantissa = code & 7;
  if (exponent == 15 && mantissa == 7) return NAN;
  const double size =
      exponent == 0 ? mantissa * std::exp2(-9) : (8 + mantissa) * std::exp2(static_cast<int>(exponent) - 10);
  return (code & 128) != 0 ? -size : size;
}

/// The nearest code's value, by looking at all of them; of two that are equally near the one with an even mantissa.
double nearest_e4m3(double value) {
  unsigned best = 0;
  for (unsigned code = 0; code < 127; ++code) {
    const double mine = std::abs(std::abs(value) - value_of_code(code)),
                 other = std::abs(std::abs(value) - value_of_code(best));
    if (mine < other || (mine == other && code % 2 == 0)) best = code;
  }
  return std::copysign(value_of_code(best), value);
}

}  // namespace

TEST_CASE("all 256 codes of e4m3 are values that rounding leaves as they are") {
  int numbers = 0;
  for (unsigned code = 0; code < 256; ++code) {
    const auto value = static_cast<float>(value_of_code(code));
    CHECK(same(round_to(Dtype::e4m3, value), value));
    numbers += std::isnan(value) ? 0 : 1;
  }
  CHECK(numbers == 254);
  CHECK(value_of_code(126) == 448);
}

TEST_CASE(
    "rounding to e4m3 finds the nearest code around every halfway point, beyond the largest and on random values") {
  std::vector<float> values = {0.0f, 1e-30f, 449.0f, 463.0f, 465.0f, 1e30f};
  for (unsigned code = 0; code + 1 < 127; ++code) {
    const auto halfway = static_cast<float>((value_of_code(code) + value_of_code(code + 1)) / 2);
    for (const float value : {halfway, std::nextafter(halfway, 1e38f), std::nextafter(halfway, -1e38f)})
      values.push_back(value);
  }
  for (const float value : random_bits(3000))
    if (std::isfinite(value)) values.push_back(std::remainder(value, 700.0f));
  int wrong = 0;
  for (const float value : values) {
    for (const float signed_value : {value, -value}) {
      const float expected = static_cast<float>(nearest_e4m3(static_cast<double>(signed_value)));
      wrong += !same(round_to(Dtype::e4m3, signed_value), expected);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("e4m3 rounds as flash3_golden.py of the reference does") {
  const std::pair<float, float> golden[] = {
      {1.0625f, 1.0f},    {1.1875f, 1.25f}, {17.0f, 16.0f},  {19.0f, 20.0f}, {500.0f, 448.0f}, {447.0f, 448.0f},
      {0x1p-9f, 0x1p-9f}, {0x1p-10f, 0.0f}, {-3.3f, -3.25f}, {0.0f, 0.0f},   {1.0f, 1.0f},     {0x1.8p-9f, 0x1p-8f}};
  for (const auto& [value, rounded] : golden) CHECK(same(round_to(Dtype::e4m3, value), rounded));
  CHECK(round_to(Dtype::e4m3, INFINITY) == 448);
  CHECK(round_to(Dtype::e4m3, -INFINITY) == -448);
  CHECK(std::isnan(round_to(Dtype::e4m3, NAN)));
}

TEST_CASE("round_all does what round_to does") {
  const std::vector<float> values = random_bits(10'007);
  for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32, Dtype::e4m3}) {
    std::vector<float> rounded = values;
    round_all(dtype, rounded);
    int different = 0;
    for (std::size_t n = 0; n < values.size(); ++n) different += !same(rounded[n], round_to(dtype, values[n]));
    CHECK(different == 0);
  }
}

}  // namespace sim

TEST_CASE("long sums are split identically, whatever caches the processor has") {
  CHECK(Eigen::l1CacheSize() == 32 * 1024);
  CHECK(Eigen::l2CacheSize() == 256 * 1024);
  CHECK(Eigen::l3CacheSize() == 2 * 1024 * 1024);
}
