// What messages are made of.
#include "sim/base/check.h"

#include <catch2/catch.hpp>
#include <limits>

TEST_CASE("a text is what a stream would write of its parts") {
  const auto streamed = [](const auto&... part) {
    std::ostringstream out;
    (out << ... << part);
    return out.str();
  };
  const std::string word = "word";
  const char* text = "text";
  CHECK(sim::text(word, std::string_view(" view "), text, 'c') == "word view textc");
  CHECK(sim::text(true, false, std::uint8_t{'b'}, std::int16_t{-3}, 7u) == streamed(true, false, 'b', -3, 7u));
  for (const std::int64_t number : {std::int64_t{0}, std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 40})
    CHECK(sim::text(number) == streamed(number));
  for (const double number : {0.0, -0.0, 0.1, 1.0 / 3, 123456.0, 1234567.0, 1e-300, 1e300, 2.5f * 1.0, 100000.0,
                              std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    CHECK(sim::text(number) == streamed(number));
}
