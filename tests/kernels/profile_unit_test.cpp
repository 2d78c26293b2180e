// Numbers with units as Nsight Compute writes them.
#include <catch2/catch.hpp>

#include "kernels/profile/unit.h"
#include "sim/base/check.h"

using Catch::Contains;
using profile::parse_reading;
using profile::Unit;

namespace {

/// Reads a cell of a file in English.
std::optional<profile::Reading> reading(const char* cell, const char* unit_text, Unit unit) {
  profile::NumberStyle style;
  CHECK(style.learn("1,234.5", false));
  return parse_reading(cell, unit_text, unit, style);
}

double value(const char* cell, const char* unit_text, Unit unit) { return reading(cell, unit_text, unit)->value; }

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

TEST_CASE("thousands of a profile may be separated by commas") {
  CHECK(value("1,234,567", "byte", Unit::byte) == 1234567);
  CHECK(value("1,234.5", "ns", Unit::microsecond) == Approx(1.2345));
  CHECK(value(" 42 ", " byte ", Unit::byte) == 42);
}

TEST_CASE("a scaled number of a profile is known to half a unit of its last decimal, a whole count exactly") {
  CHECK(reading("1,234", "byte", Unit::byte)->rounding == 0);
  CHECK(reading("10.24", "Mbyte", Unit::byte)->rounding == Approx(5000));
  CHECK(reading("10", "Mbyte", Unit::byte)->rounding == Approx(500000));
}

TEST_CASE("an empty cell of a profile, n/a and a quotient by 0 are not numbers") {
  CHECK(!reading("", "byte", Unit::byte));
  for (const char* cell : {"n/a", "(!) n/a", "nan", "-nan", "inf"}) CHECK(!reading(cell, "", Unit::microsecond));
}

TEST_CASE("a doubtful number of a profile and one with its instances are read as the number") {
  CHECK(value("(!) 42", "byte", Unit::byte) == 42);
  CHECK(value("42 (40; 2)", "byte", Unit::byte) == 42);
  CHECK(value("1,234.5 {7}", "ns", Unit::microsecond) == Approx(1.2345));
}

TEST_CASE("clocks and throughputs of a profile have the units of old and new versions") {
  for (const char* unit : {"Ghz", "cycle/nsecond", "cycle/ns", "Gcycle/second"})
    CHECK(value("1.24", unit, Unit::hertz) == Approx(1.24e9));
  for (const char* unit : {"hz", "cycle/second", "cycle/s"})
    CHECK(value("1239496049.13", unit, Unit::hertz) == 1239496049.13);
  for (const char* unit : {"Gbyte/second", "Gbyte/s", "byte/ns"})
    CHECK(value("196.46", unit, Unit::byte_per_second) == Approx(196.46e9));
  CHECK_THROWS_WITH(value("61.84", "%", Unit::byte_per_second), Contains("expected byte/s"));
}

TEST_CASE("a cell of a profile that is not a number is refused with its text") {
  for (const char* cell :
       {"-1", "1,23", "12,3,4", "1234,567", "27.595.520", "1.5e", "0x10", "1 (2", ",5", ".5", "1e5x", "\x01"}) {
    INFO(cell);
    CHECK_THROWS_WITH(reading(cell, "byte", Unit::byte), Contains("is not a number"));
  }
  for (const char* cell : {"5e18", "1e400", "99999999999999999999"})
    CHECK_THROWS_WITH(reading(cell, "byte", Unit::byte), Contains("is too large"));
  CHECK_THROWS_WITH(reading("9e6", "Tbyte", Unit::byte), Contains("is too large"));
}

TEST_CASE("a profile's wrong unit is refused with those allowed") {
  CHECK_THROWS_WITH(reading("1", "sector", Unit::byte), Contains("\"sector\": expected byte"));
  CHECK_THROWS_WITH(reading("1", "", Unit::byte), Contains("expected byte"));
  CHECK_THROWS_WITH(reading("1", "", Unit::microsecond), Contains("expected ns, us, ms, s"));
  CHECK_THROWS_WITH(reading("1", "hour", Unit::microsecond), Contains("\"hour\""));
  CHECK_THROWS_WITH(reading("1", "K%", Unit::percent), Contains("expected %"));
  CHECK_THROWS_WITH(reading("1", "kbyte", Unit::byte), Contains("\"kbyte\""));
}
