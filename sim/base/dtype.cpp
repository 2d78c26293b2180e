#include "sim/base/dtype.h"

namespace sim {
namespace {

// Everything here works on the bits of an fp32 value and without branches, so that compilers turn the loops of
// round_all into SIMD even on machines without a conversion instruction. __builtin_bit_cast replaces std::bit_cast,
// which emscripten's library lacks.
constexpr std::uint32_t magnitude_bits = 0x7fff'ffff;  // all but the sign
constexpr std::uint32_t infinity_bits = 0x7f80'0000;   // magnitudes above it are NaN
constexpr std::uint32_t quiet_bit = 0x0040'0000;       // keeps a NaN a NaN when its low bits are cut off

/// Rounds the magnitude to a multiple of 2^dropped in the last place, ties to even. A carry moves into the exponent.
constexpr std::uint32_t round_mantissa(std::uint32_t magnitude, int dropped) {
  const std::uint32_t below_half = (1u << (dropped - 1)) - 1;
  const std::uint32_t odd = (magnitude >> dropped) & 1u;
  return (magnitude + below_half + odd) & ~((1u << dropped) - 1);
}

/// condition ? a : b as bit operations: a compiler may turn ?: back into a branch around the arithmetic.
constexpr std::uint32_t choose(bool condition, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t mask = 0u - static_cast<std::uint32_t>(condition);
  return (a & mask) | (b & ~mask);
}

constexpr float with_sign(std::uint32_t magnitude, std::uint32_t sign) {
  return __builtin_bit_cast(float, magnitude | sign);
}

/// bf16: the upper half of fp32, hence the same exponents and subnormals.
constexpr float round_bf16(float value) {
  const auto bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t magnitude = bits & magnitude_bits;
  const std::uint32_t number = round_mantissa(magnitude, 16);
  const std::uint32_t nan = (magnitude | quiet_bit) & 0xffff'0000u;
  return with_sign(choose(magnitude > infinity_bits, nan, number), bits & ~magnitude_bits);
}

/// fp16: 5 exponent bits, 10 mantissa bits; largest 65504, smallest normal 2^-14, subnormals are multiples of 2^-24.
constexpr float round_fp16(float value) {
  constexpr std::uint32_t largest = 0x477f'e000;          // 65504
  constexpr std::uint32_t smallest_normal = 0x3880'0000;  // 2^-14
  const auto bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t magnitude = bits & magnitude_bits;
  const std::uint32_t normal = round_mantissa(magnitude, 13);
  // In [0.5, 1) fp32 has a spacing of 2^-24, so adding 0.5 rounds a subnormal fp16 value.
  const auto subnormal = __builtin_bit_cast(std::uint32_t, (__builtin_bit_cast(float, magnitude) + 0.5f) - 0.5f);
  const std::uint32_t nan = (magnitude | quiet_bit) & 0xffff'e000u;
  std::uint32_t result = choose(normal > largest, infinity_bits, normal);
  result = choose(magnitude < smallest_normal, subnormal, result);
  result = choose(magnitude > infinity_bits, nan, result);
  return with_sign(result, bits & ~magnitude_bits);
}

/// e4m3: 4 exponent bits, 3 mantissa bits, no infinity; largest 448, smallest normal 2^-6, subnormals are multiples of
/// 2^-9. Rounding saturates.
constexpr float round_e4m3(float value) {
  constexpr std::uint32_t largest = 0x43e0'0000;          // 448
  constexpr std::uint32_t smallest_normal = 0x3c80'0000;  // 2^-6
  const auto bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t magnitude = bits & magnitude_bits;
  const std::uint32_t normal = round_mantissa(magnitude, 20);
  // In [2^14, 2^15) fp32 has a spacing of 2^-9.
  const auto subnormal =
      __builtin_bit_cast(std::uint32_t, (__builtin_bit_cast(float, magnitude) + 16384.0f) - 16384.0f);
  const std::uint32_t nan = (magnitude | quiet_bit) & 0xfff0'0000u;
  std::uint32_t result = choose(normal > largest, largest, normal);
  result = choose(magnitude < smallest_normal, subnormal, result);
  result = choose(magnitude > infinity_bits, nan, result);
  return with_sign(result, bits & ~magnitude_bits);
}

}  // namespace

std::int64_t size_of(Dtype dtype) {
  if (is_half(dtype)) return 2;
  return dtype == Dtype::e4m3 || dtype == Dtype::u8 ? 1 : 4;
}

std::string_view name_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp16:
      return "fp16";
    case Dtype::bf16:
      return "bf16";
    case Dtype::e4m3:
      return "e4m3";
    case Dtype::u8:
      return "u8";
    case Dtype::i32:
      return "i32";
    case Dtype::fp32:
      break;
  }
  return "fp32";
}

float round_to(Dtype dtype, float value) {
  switch (dtype) {
    case Dtype::fp16:
      return round_fp16(value);
    case Dtype::bf16:
      return round_bf16(value);
    case Dtype::e4m3:
      return round_e4m3(value);
    case Dtype::fp32:
    case Dtype::u8:  // 0 and 1
    case Dtype::i32:
      break;
  }
  return value;
}

void round_all(Dtype dtype, std::span<float> values) {
  switch (dtype) {
    case Dtype::fp16:
      for (float& value : values) value = round_fp16(value);
      break;
    case Dtype::bf16:
      for (float& value : values) value = round_bf16(value);
      break;
    case Dtype::e4m3:
      for (float& value : values) value = round_e4m3(value);
      break;
    case Dtype::fp32:
    case Dtype::u8:
    case Dtype::i32:
      break;
  }
}

}  // namespace sim
