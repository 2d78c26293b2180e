// Numbers in the locales of Nsight Compute: other numbers of the file decide what points and commas mean.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>

#include "kernels/profile/number.h"
#include "sim/base/check.h"
#include "tests/support/profile_layouts.h"

using Catch::Contains;
using profile::NumberStyle;

namespace {

double read(const NumberStyle& style, const std::string& cell) {
  return std::strtod(style.read(cell).digits.c_str(), nullptr);
}

}  // namespace

TEST_CASE("a number with one separator and three digits after it is refused while its meaning is unknown") {
  NumberStyle style;
  CHECK(style.learn("117.344", false));
  CHECK_THROWS_WITH(style.read("117.344"), Contains("LC_ALL=C"));
  CHECK_THROWS_WITH(style.read("1,024"), Contains("\"1,024\" is 1.024 or 1024") || Contains("1024 or 1.024"));
  CHECK(read(style, "117344") == 117344);
  CHECK(read(style, "117.34") == 117.34);
}

TEST_CASE("a count cannot have a fraction, which determines the meaning of a point") {
  NumberStyle german;
  CHECK(german.learn("117.344", true));
  CHECK(read(german, "393.216") == 393216);
  CHECK(read(german, "1,024") == 1.024);
  NumberStyle english;
  CHECK(english.learn("117,344", true));
  CHECK(read(english, "393.216") == 393.216);
}

TEST_CASE("a count of many digits without a separator shows that thousands are not separated") {
  NumberStyle style;
  CHECK(style.learn("117.344", false));
  CHECK(style.learn("49152", true));
  CHECK(read(style, "117.344") == 117.344);
  CHECK(read(style, "49152") == 49152);
  NumberStyle grouped;  // a separator in a count decides
  CHECK(grouped.learn("49152", true));
  CHECK(grouped.learn("393.216", true));
  CHECK(read(grouped, "117.344") == 117344);
}

TEST_CASE("numbers of two locales in one file are contradictory") {
  NumberStyle style;
  CHECK(style.learn("65,77", false));
  CHECK(!style.learn("65.77", false));
  CHECK(!style.learn("1,234,567", false));
  CHECK(style.learn("CachePreferNone", false));
  CHECK(style.learn("1.2.3", false));
  CHECK(read(style, "1.234") == 1234);
}

TEST_CASE("numbers of every locale are read as written once the file has shown its separators") {
  profile_layouts::Draw draw(1);
  for (const profile_layouts::Locale& locale : profile_layouts::locales()) {
    INFO(locale.name);
    NumberStyle style;
    CHECK(style.learn(profile_layouts::written(locale, 1'234'567'500, 1), false));
    CHECK(style.learn(profile_layouts::whole(locale, 117'344), true));
    for (int n = 0; n < 300; ++n) {
      const int decimals = static_cast<int>(draw.between(0, 3));
      const std::int64_t thousandths = draw.between(0, 2'000'000'000'000);
      const std::string text = profile_layouts::written(locale, thousandths, decimals);
      INFO(text);
      CHECK(style.learn(text, decimals == 0));
      const double cut = std::pow(10, decimals),
                   number = std::floor(static_cast<double>(thousandths) / 1000 * cut) / cut;
      CHECK(read(style, text) == Approx(number).margin(1.001 / cut));
    }
  }
}
