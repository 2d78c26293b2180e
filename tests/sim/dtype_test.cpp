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
  CHECK(name_of(Dtype::fp16) == "fp16");
  CHECK(name_of(Dtype::bf16) == "bf16");
  CHECK(name_of(Dtype::fp32) == "fp32");
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

TEST_CASE("round_all does what round_to does") {
  const std::vector<float> values = random_bits(10'007);
  for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32}) {
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
