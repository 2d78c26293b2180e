// Numbers with units as Nsight Compute writes them.
#include <catch2/catch.hpp>

#include "kernels/profile/unit.h"
#include "sim/base/check.h"

using Catch::Contains;
using profile::parse_reading;
using profile::Unit;

namespace {

double value(const char* cell, const char* unit_text, Unit unit) { return parse_reading(cell, unit_text, unit)->value; }

}  // namespace

TEST_CASE("a profile's prefixes of units are decimal") {
  CHECK(value("7", "byte", Unit::byte) == 7);
  CHECK(value("49.15", "Kbyte/block", Unit::byte) == Approx(49150));
  CHECK(value("1.5", "Mbyte", Unit::byte) == Approx(1.5e6));
  CHECK(value("2", "Gbyte", Unit::byte) == Approx(2e9));
  CHECK(value("2", "Tbyte", Unit::byte) == Approx(2e12));
  CHECK(value("3", "Ksector", Unit::sector) == Approx(3000));
  CHECK(value("3", "", Unit::sector) == 3);
  CHECK(value("3", "Minst", Unit::instruction) == Approx(3e6));
  CHECK(value("3", "K", Unit::instruction) == Approx(3000));
  CHECK(value("12.5", "%", Unit::percent) == Approx(12.5));
}

TEST_CASE("a profile's times have short and long names of their units") {
  for (const char* unit : {"ns", "nsecond"}) CHECK(value("1500", unit, Unit::microsecond) == Approx(1.5));
  for (const char* unit : {"us", "usecond"}) CHECK(value("1.5", unit, Unit::microsecond) == Approx(1.5));
  for (const char* unit : {"ms", "msecond"}) CHECK(value("1.5", unit, Unit::microsecond) == Approx(1500));
  for (const char* unit : {"s", "second"}) CHECK(value("4.0e-05", unit, Unit::microsecond) == Approx(40));
}

TEST_CASE("a profile's thousands may be parted by commas") {
  CHECK(value("1,234,567", "byte", Unit::byte) == 1234567);
  CHECK(value("1,234.5", "ns", Unit::microsecond) == Approx(1.2345));
  CHECK(value(" 42 ", " byte ", Unit::byte) == 42);
}

TEST_CASE("a scaled number of a profile is known to half of its last decimal, a whole count exactly") {
  CHECK(parse_reading("1,234", "byte", Unit::byte)->rounding == 0);
  CHECK(parse_reading("10.24", "Mbyte", Unit::byte)->rounding == Approx(5000));
  CHECK(parse_reading("10", "Mbyte", Unit::byte)->rounding == Approx(500000));
}

TEST_CASE("an empty cell of a profile and n/a are no number") {
  CHECK(!parse_reading("", "byte", Unit::byte));
  CHECK(!parse_reading("n/a", "", Unit::microsecond));
}

TEST_CASE("a profile's number that is not one is refused by its text") {
  for (const char* cell : {"nan", "inf", "-1", "1,23", "12,34", "1234,567", "27.595.520", "1.5e", "0x10", "1 (2; 3)",
                           ",5", ".5", "1e5x", "\x01"}) {
    INFO(cell);
    CHECK_THROWS_WITH(parse_reading(cell, "byte", Unit::byte), Contains("is not a number"));
  }
  for (const char* cell : {"5e18", "1e400", "99999999999999999999"})
    CHECK_THROWS_WITH(parse_reading(cell, "byte", Unit::byte), Contains("is too large"));
  CHECK_THROWS_WITH(parse_reading("9e6", "Tbyte", Unit::byte), Contains("is too large"));
}

TEST_CASE("a profile's wrong unit is refused with those allowed") {
  CHECK_THROWS_WITH(parse_reading("1", "sector", Unit::byte), Contains("\"sector\": expected byte"));
  CHECK_THROWS_WITH(parse_reading("1", "", Unit::byte), Contains("expected byte"));
  CHECK_THROWS_WITH(parse_reading("1", "", Unit::microsecond), Contains("expected ns, us, ms, s"));
  CHECK_THROWS_WITH(parse_reading("1", "hour", Unit::microsecond), Contains("\"hour\""));
  CHECK_THROWS_WITH(parse_reading("1", "K%", Unit::percent), Contains("expected %"));
  CHECK_THROWS_WITH(parse_reading("1", "kbyte", Unit::byte), Contains("\"kbyte\""));
}
