// Files of Nsight Compute in drawn layouts and locales, read back.
#include "tests/support/profile_layouts.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "kernels/profile/profile.h"
#include "sim/base/check.h"

using profile::parse_profile;
using profile_layouts::Layout;

namespace {

/// Checks a reading; in a scaled file a number is known to half a unit of its last decimal.
void check_reading(const profile::Launch& launch, const std::string& metric, double expected, double rounding) {
  INFO(metric);
  REQUIRE(launch.readings.count(metric) == 1);
  const std::optional<profile::Reading>& reading = launch.readings.at(metric);
  REQUIRE(reading.has_value());
  CHECK(std::abs(reading->value - expected) <= rounding + expected * 1e-12);
}

void check_launch(const Layout& layout, const profile_layouts::Launch& written, const profile::Launch& read) {
  const double rounding = layout.scaled ? 10 : 0;  // written to two decimals of a thousand, truncated
  CHECK(read.id == written.id);
  CHECK(read.grid == (layout.shape_columns ? written.grid : ""));
  CHECK(read.block == (layout.shape_columns ? written.block : ""));
  const auto name = [&](const char* label, const char* metric) { return layout.labels ? label : metric; };
  check_reading(read, "dram__bytes_read.sum", static_cast<double>(written.read), rounding);
  check_reading(read, name("Duration", "gpu__time_duration.sum"), static_cast<double>(written.duration) * 1e-3,
                rounding * 1e-3);
  check_reading(read, name("SM Frequency", "sm__cycles_elapsed.avg.per_second"), static_cast<double>(written.hertz), 0);
  check_reading(read, name("Dynamic Shared Memory Per Block", "launch__shared_mem_per_block_dynamic"),
                static_cast<double>(written.dynamic), rounding);
}

void check_file(const Layout& layout, profile_layouts::Draw& draw) {
  std::vector<profile_layouts::Launch> launches;
  for (int n = 0; n < draw.between(1, 4); ++n) launches.push_back(draw.launch(n));
  if (!layout.details) {  // a column has only one unit
    for (profile_layouts::Launch& launch : launches) launch.dynamic += 1024;
  }
  const std::string text = profile_layouts::file(layout, launches);
  INFO(layout.locale.name << "\n" << text.substr(0, 3000));
  const profile::Profile read = parse_profile(text, "drawn.csv");
  REQUIRE(read.launches.size() == launches.size());
  for (std::size_t n = 0; n < launches.size(); ++n) check_launch(layout, launches[n], read.launches[n]);
}

}  // namespace

TEST_CASE("profiles of every layout and locale are read with the numbers that were written") {
  profile_layouts::Draw draw(7);
  for (const profile_layouts::Locale& locale : profile_layouts::locales()) {
    for (int n = 0; n < 200; ++n) check_file(draw.layout(locale), draw);
  }
}

TEST_CASE("a profile in UTF-16, as PowerShell writes it, equals the same profile in UTF-8") {
  profile_layouts::Draw draw(9);
  Layout layout = draw.layout(profile_layouts::locales()[1]);
  layout.mark = false;
  const std::string text = profile_layouts::file(layout, {draw.launch(0)});
  for (const bool low_first : {true, false}) {
    std::string wide = low_first ? "\xFF\xFE" : "\xFE\xFF";
    for (const char c : text) wide += low_first ? std::string{c, '\0'} : std::string{'\0', c};
    CHECK(parse_profile(wide, "wide.csv").launches.at(0).readings.size() ==
          parse_profile(text, "plain.csv").launches.at(0).readings.size());
  }
}

TEST_CASE("a profile's numbers are never read a thousand times too small: they are right or refused") {
  profile_layouts::Draw draw(11);
  int refused = 0, right = 0;
  for (const profile_layouts::Locale& locale : profile_layouts::locales()) {
    for (int n = 0; n < 200; ++n) {
      const std::int64_t thousandths = draw.between(1'000'000, 900'000'000);
      const int decimals = static_cast<int>(draw.between(0, 3));
      const std::string number = profile_layouts::written(locale, thousandths, decimals);
      const std::string text = profile_text::details({{"0", "k", {{"dram__bytes_read.sum", "Mbyte", number}}}});
      INFO(locale.name << " " << number);
      try {
        const auto reading = parse_profile(text, "one.csv").launches.at(0).readings.at("dram__bytes_read.sum");
        CHECK(reading->value == Approx(static_cast<double>(thousandths) * 1e3).epsilon(1e-2));
        ++right;
      } catch (const sim::Error& error) {
        CHECK_THAT(error.what(), Catch::Contains("LC_ALL=C"));
        ++refused;
      }
    }
  }
  CHECK(right > 500);
  CHECK(refused > 100);
}

TEST_CASE("a row of the page details that ends before its value is refused, and so is a damaged number of a launch") {
  const std::string text = profile_text::details({{"0", "k", {{"dram__bytes_read.sum", "byte", "64"}}}});
  const std::string cut = text.substr(0, text.rfind(",\"64\"")) + "\n";
  CHECK_THROWS_WITH(parse_profile(cut, "cut.csv"), Catch::Contains("cut.csv:2: has 14 cells, expected 15"));
  std::string damaged = text;
  damaged.replace(damaged.rfind("\"0\",\"77\""), 3, "\"0x\"");
  CHECK_THROWS_WITH(parse_profile(damaged, "bad.csv"), Catch::Contains("\"0x\" is not the number of a launch"));
  CHECK_THROWS_WITH(parse_profile(text + profile_text::line({"ID", "Kernel Name", "Metric Name"}), "two.csv"),
                    Catch::Contains("two.csv:3: a second table begins here"));
}
