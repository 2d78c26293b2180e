// Element types on the host: fp16 and bf16 as 16 bits, converted as a GPU converts (to nearest, ties to even).
#pragma once
#include <bit>
#include <cstdint>

namespace dev {

struct fp16 {
  std::uint16_t bits;
};
struct bf16 {
  std::uint16_t bits;
};

inline float to_float(float value) { return value; }
inline float to_float(bf16 value) { return std::bit_cast<float>(std::uint32_t{value.bits} << 16); }

/// Exponent and fraction, shifted into place, are the value times 2^-112, subnormals included, infinity and NaN not.
inline float to_float(fp16 value) {
  const std::uint32_t sign = (value.bits & 0x8000u) << 16, rest = value.bits & 0x7fffu;
  if (rest >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  const float magnitude = std::bit_cast<float>(rest << 13) * 0x1p112f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
}

template <class T>
T from_float(float value);

template <>
inline float from_float<float>(float value) {
  return value;
}

template <>
inline bf16 from_float<bf16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<std::uint16_t>(bits >> 16 | 0x40u)};  // NaN stays NaN
  return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

template <>
inline fp16 from_float<fp16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return {static_cast<std::uint16_t>(sign | 0x7e00u)};   // NaN
  if (magnitude >= 0x477ff000u) return {static_cast<std::uint16_t>(sign | 0x7c00u)};  // from 65,520 on: infinity
  if (magnitude < 0x38800000u) {                                                      // below 2^-14: subnormal
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;                     // the sum rounds to 2^-24
    return {static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u))};
  }
  const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
  return {static_cast<std::uint16_t>(sign | (rounded - 0x38000000u) >> 13)};
}

/// Two elements in one register, `low` in the low half.
template <class T>
std::uint32_t pack(float low, float high) {
  return from_float<T>(low).bits | static_cast<std::uint32_t>(from_float<T>(high).bits) << 16;
}

}  // namespace dev
