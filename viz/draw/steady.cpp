#include "viz/draw/steady.h"

#include <cmath>
#include <cstdlib>

namespace draw::steady {
namespace {

// log 2 in two parts: the first has so few digits that its multiples by whole numbers up to 2^21 are exact.
constexpr double log_2 = 0.693147180369123816490, rest_of_log_2 = 1.90821492927058770002e-10;
constexpr double two_pi = 6.28318530717958647693;
constexpr double root_of_half = 0.70710678118654752440;

}  // namespace

double log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // x = m 2^exponent, exactly
  if (m < root_of_half) {
    m *= 2;
    --exponent;
  }
  // log m = 2 atanh s = 2 (s + s^3 / 3 + s^5 / 5 ...) with |s| < 0.172
  const double s = (m - 1) / (m + 1), square = s * s;
  double series = 0;
  for (int k = 23; k > 1; k -= 2) series = (series + 1.0 / k) * square;
  return exponent * log_2 + (2 * s + (2 * s * series + exponent * rest_of_log_2));
}

double exp(double x) {
  const double n = std::round(x / (log_2 + rest_of_log_2));
  const double r = (x - n * log_2) - n * rest_of_log_2;  // |r| < 0.347
  double series = 1;
  for (int k = 15; k > 0; --k) series = 1 + series * r / k;
  return std::ldexp(series, static_cast<int>(n));
}

double power(double x, double y) { return exp(y * log(x)); }

double power_of(int base, int n) {
  double power = 1;
  for (int i = 0; i < std::abs(n); ++i) power *= base;
  return n < 0 ? 1 / power : power;
}

int exponent_in(int base, double x) {
  int n = static_cast<int>(std::floor(log(x) / log(base)));  // exact, or off by one
  while (power_of(base, n) > x) --n;
  while (power_of(base, n + 1) <= x) ++n;
  return n;
}

double sine_of_turns(double x) {
  double turns = x - std::round(x);  // -1/2 to 1/2, then -1/4 to 1/4
  if (std::abs(turns) > 0.25) turns = std::copysign(0.5, turns) - turns;
  const double angle = two_pi * turns, square = angle * angle;
  double series = 1;
  for (int k = 22; k > 0; k -= 2) series = 1 - series * square / (k * (k + 1));
  return angle * series;
}

double length(double x, double y) { return std::sqrt(x * x + y * y); }
float length(float x, float y) { return std::sqrt(x * x + y * y); }

}  // namespace draw::steady
