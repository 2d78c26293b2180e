// NormalPairs exists for speed: a head of 16,384 keys draws four million values before its last tile can be shown. Its
// loops have no branches and no calls, so compilers turn them into SIMD. They compute x, an approximation of the value
// of box_muller(), and check that all numbers within `reach` of x round to one fp32 value. box_muller() is within
// reach, so that is its value. About one in 10,000 is ambiguous and is computed by box_muller() itself.
//
// Error bound: the polynomials are truncated where the next term is below 1e-14, and the radius is at most 6.8. The
// library functions of box_muller() and the rounding of its angle add less than 1e-14.
#include "sim/base/box_muller.h"

#include <cmath>
#include <numbers>

#include "sim/base/wide.h"

namespace sim {
namespace {

constexpr double reach = 1e-12;
constexpr std::uint64_t bits_of_1 = 0x3ff0'0000'0000'0000,
                        bits_of_half_root = 0x3fe6'a09e'667f'3bcd;  // of 2: 0.7071...

/// Converts an integer to double without branches (the compiler's conversion of unsigned words has some): the integer
/// becomes the last bits of 2^52 + word.
double as_double(std::uint64_t word) { return __builtin_bit_cast(double, 0x4330'0000'0000'0000 | word) - 0x1p52; }

/// -2 log((word + 0.5) / 2^32). With word + 0.5 = 2^k m and m in [0.7, 1.4): log m = 2 atanh s, s = (m - 1) / (m + 1).
double minus_two_log(std::uint32_t word) {
  const auto bits = __builtin_bit_cast(std::uint64_t, as_double(word) + 0.5);
  const std::uint64_t exponent = (bits + (bits_of_1 - bits_of_half_root)) >> 52;
  const auto m = __builtin_bit_cast(double, bits - (exponent << 52) + bits_of_1);
  const double s = (m - 1) / (m + 1), z = s * s;
  double sum = 1.0 / 17;
  for (const double term : {1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0})
    sum = sum * z + term;
  return -2 * ((as_double(exponent) - (1023 + 32)) * std::numbers::ln2 + 2 * s * sum);
}

struct CosineSine {
  double cosine, sine;
};

/// (cos, sin)(2 pi word / 2^32): evaluated at the offset from the nearest quarter turn, at most pi/4, then rotated by
/// quarter turns.
CosineSine direction(std::uint32_t word) {
  const std::uint64_t shifted = std::uint64_t{word} + (1u << 29), quarters = shifted >> 30;
  const double angle = (as_double(shifted & 0x3fff'ffff) - 0x1p29) * (std::numbers::pi * 0x1p-31);
  const double z = angle * angle;
  double sine = 1.0 / 6227020800, cosine = -1.0 / 87178291200;
  for (const double term : {-1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0})
    sine = sine * z + term;
  for (const double term : {1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -1.0 / 2, 1.0})
    cosine = cosine * z + term;
  // Bit operations instead of branches: swaps after an odd number of quarter turns, and sets the signs of the quadrant.
  const auto a = __builtin_bit_cast(std::uint64_t, cosine), b = __builtin_bit_cast(std::uint64_t, sine * angle);
  const std::uint64_t swaps = (a ^ b) & (0 - (quarters & 1));
  return {__builtin_bit_cast(double, (a ^ swaps) ^ (((quarters + 1) & 2) << 62)),
          __builtin_bit_cast(double, (b ^ swaps) ^ ((quarters & 2) << 62))};
}

std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }

/// Returns non-zero if values within `reach` of x round to different fp32 values.
std::uint32_t unclear(double x) {
  return bits_of(static_cast<float>(x - reach)) ^ bits_of(static_cast<float>(x + reach));
}

[[gnu::always_inline]] inline void make_pairs(NormalPairs& pairs) {
  constexpr std::size_t count = NormalPairs::count;
  std::array<double, count> radii;
  std::array<std::uint32_t, count> unclear_pairs;
  for (std::size_t n = 0; n < count; ++n) radii[n] = minus_two_log(pairs.radius_words[n]);
  for (double& radius : radii) radius = std::sqrt(radius);
  for (std::size_t n = 0; n < count; ++n) {
    const auto [cosine, sine] = direction(pairs.angle_words[n]);
    const double x = radii[n] * cosine, y = radii[n] * sine;
    pairs.cosines[n] = static_cast<float>(x);
    pairs.sines[n] = static_cast<float>(y);
    unclear_pairs[n] = unclear(x) | unclear(y);
  }
  for (std::size_t n = 0; n < count; ++n) {
    if (unclear_pairs[n] == 0) continue;
    const auto [x, y] = box_muller(pairs.radius_words[n], pairs.angle_words[n]);
    pairs.cosines[n] = x;
    pairs.sines[n] = y;
  }
}

#ifdef FLASHSCOPE_WIDE
FLASHSCOPE_WIDE void make_wide(NormalPairs& pairs) { make_pairs(pairs); }
#endif

}  // namespace

std::array<float, 2> box_muller(std::uint32_t radius_word, std::uint32_t angle_word) {
  const double radius = std::sqrt(-2.0 * std::log((radius_word + 0.5) * 0x1p-32));
  const double angle = 2.0 * std::numbers::pi * (angle_word * 0x1p-32);
  return {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle))};
}

void NormalPairs::make() {
#ifdef FLASHSCOPE_WIDE
  if (wide::fits()) return make_wide(*this);
#endif
  make_pairs(*this);
}

}  // namespace sim
