#include "viz/draw/steady.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

using namespace draw;

namespace {

/// Units in the last place between two numbers.
double places(double a, double b) {
  return std::abs(a - b) / (std::abs(b) * std::numeric_limits<double>::epsilon() + 1e-300);
}

/// Calls see(x) with 20000 numbers from 1e-9 to 1e9, densely around the middle.
template <class See>
void numbers(See see) {
  for (int n = -10'000; n < 10'000; ++n) see(std::exp(n * std::abs(n) / 1e8 * 20.7));
}

}  // namespace

TEST_CASE("logarithms and powers agree with the C library to the last places") {
  double log_error = 0, exp_error = 0, power_error = 0;
  numbers([&](double x) {
    log_error = std::max(log_error, places(steady::log(x), std::log(x)));
    exp_error = std::max(exp_error, places(steady::exp(std::log(x)), std::exp(std::log(x))));
    power_error = std::max(power_error, places(steady::power(x, 0.6), std::pow(x, 0.6)));
  });
  CHECK(log_error <= 2);
  CHECK(exp_error <= 2);
  CHECK(power_error <= 40);  // |0.6 log x| < 13
  CHECK(steady::log(1) == 0);
  CHECK(steady::exp(0) == 1);
  CHECK(steady::power(7, 1) == Approx(7).epsilon(1e-15));
}

TEST_CASE("powers of integer bases are exact, and every number is between two of them") {
  CHECK(steady::power_of(10, 3) == 1000);
  CHECK(steady::power_of(10, 22) == 1e22);
  CHECK(steady::power_of(10, -7) == 1e-7);
  CHECK(steady::power_of(4, 5) == 1024);
  CHECK(steady::exponent_in(10, 1000) == 3);
  CHECK(steady::exponent_in(10, 999.9999999999999) == 2);
  CHECK(steady::exponent_in(10, 0.001) == -3);
  CHECK(steady::exponent_in(4, 63) == 2);
  CHECK(steady::exponent_in(4, 0.25) == -1);
  for (int n = -20; n <= 22; ++n) CHECK(steady::exponent_in(10, steady::power_of(10, n)) == n);
}

TEST_CASE("sines of turns agree with the C library and are exact at quarters") {
  double error = 0;
  for (int n = -3000; n <= 3000; ++n)
    error =
        std::max(error, std::abs(steady::sine_of_turns(n / 1024.) - std::sin(2 * 3.14159265358979323846 * n / 1024)));
  CHECK(error < 4e-15);  // most of it of the product by the C library's side
  CHECK(steady::sine_of_turns(0) == 0);
  CHECK(steady::sine_of_turns(0.25) == Approx(1).epsilon(1e-16));
  CHECK(steady::sine_of_turns(0.75) == Approx(-1).epsilon(1e-16));
  CHECK(steady::sine_of_turns(1 / 12.) == Approx(0.5).epsilon(1e-15));
}

TEST_CASE("lengths follow Pythagoras") {
  CHECK(steady::length(3., -4.) == 5);
  CHECK(steady::length(-5.f, 12.f) == 13);
}

TEST_CASE("logarithms and powers have the same bits on every processor") {
  std::uint64_t hash = 14695981039346656037ull;
  for (int n = 1; n < 10'000; ++n) {
    const double x = n * 0.37;
    for (const double y : {steady::log(x), steady::exp(x / 100), steady::power(x, -1.7)}) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &y, sizeof bits);
      hash = (hash ^ bits) * 1099511628211ull;
    }
  }
  CHECK(hash == 0x48a371fd5f16a924);
}
