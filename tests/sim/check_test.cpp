// text(): joins the parts of a message.
#include "sim/base/check.h"

#include <catch2/catch.hpp>

TEST_CASE("a text joins parts of any type with six digits of a number") {
  CHECK(sim::text(std::string("word"), std::string_view(" view "), "text", 'c') == "word view textc");
  CHECK(sim::text(true, std::uint8_t{'b'}, std::int16_t{-3}, 7u, std::int64_t{1} << 40) == "1b-371099511627776");
  CHECK(sim::text(1.0 / 3, " ", 1234567.0, " ", 100000.0, " ", 1e-300) == "0.333333 1.23457e+06 100000 1e-300");
}
