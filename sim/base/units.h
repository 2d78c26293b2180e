// Quantities with distinct types, so that bytes are never added to cycles, in exact checked 64-bit integers.
#pragma once
#include <cmath>
#include <compare>
#include <cstdint>

#include "sim/base/check.h"

namespace sim {

/// Returns a + b; throws Error if the sum exceeds 64 bits.
inline std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  require(!__builtin_add_overflow(a, b, &sum), "the sum ", a, " + ", b, " passes 64 bits: use smaller sizes");
  return sum;
}

/// Returns a * b; throws Error if the product exceeds 64 bits.
inline std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  require(!__builtin_mul_overflow(a, b, &product), "the product ", a, " x ", b, " passes 64 bits: use smaller sizes");
  return product;
}

/// A product of any number of sizes, each step checked.
template <class... Factor>
std::int64_t product(std::int64_t first, Factor... rest) {
  std::int64_t result = first;
  ((result = checked_multiply(result, rest)), ...);
  return result;
}

/// An exact count in one unit. Sums and multiples are checked; different units do not mix.
template <class Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t count) : count_(count) {}
  constexpr std::int64_t count() const { return count_; }

  Quantity& operator+=(Quantity other) {
    count_ = checked_add(count_, other.count_);
    return *this;
  }
  friend Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend Quantity operator-(Quantity a, Quantity b) { return Quantity(checked_add(a.count_, -b.count_)); }
  friend Quantity operator*(Quantity a, std::int64_t times) { return Quantity(checked_multiply(a.count_, times)); }
  friend constexpr auto operator<=>(Quantity a, Quantity b) = default;

 private:
  std::int64_t count_ = 0;
};

using Bytes = Quantity<struct ByteUnit>;  ///< bytes
using Flops = Quantity<struct FlopUnit>;  ///< floating-point operations; a multiply-add counts as two
using Exps = Quantity<struct ExpUnit>;    ///< exponentials

/// Time on one SM in fixed point: 1 cycle = 256 ticks, so that traces are identical with every compiler.
using Cycles = Quantity<struct TickUnit>;
inline constexpr std::int64_t ticks_per_cycle = 256;
inline constexpr Cycles whole_cycles(std::int64_t n) { return Cycles(n * ticks_per_cycle); }

/// The tick nearest to a time in cycles, for 0 <= cycles < 2^54; throws Error outside.
inline Cycles nearest_tick(double cycles) {
  require(cycles >= 0 && cycles < 0x1p54, "a time of ", cycles, " cycles: 0 to 2^54 is allowed");
  return Cycles(static_cast<std::int64_t>(std::floor(cycles * static_cast<double>(ticks_per_cycle) + 0.5)));
}

/// ceil(a / b) for a >= 0, b > 0.
inline constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }

}  // namespace sim
