// Amounts as users type them: numbers with suffixes, by kind of quantity.
#include "sim/base/amount.h"

#include <catch2/catch.hpp>

#include "sim/base/check.h"
#include "sim/catalogue/options.h"
#include "sim/machine/device_override.h"
#include "tests/support/device_file.h"

namespace sim {
namespace {

using Catch::Matchers::Contains;
using Rows = std::vector<std::pair<std::string, std::int64_t>>;

void check(Measure measure, const Rows& rows) {
  for (const auto& [typed, amount] : rows) {
    INFO(typed);
    CHECK(whole_amount(measure, typed) == amount);
    CHECK(whole_amount(measure, amount_text(measure, amount)) == amount);
  }
}

TEST_CASE("sizes of memories are powers of 1,024, with or without i and B") {
  check(Measure::bytes, {{"50M", 52'428'800},
                         {"50MB", 52'428'800},
                         {"50MiB", 52'428'800},
                         {"50Mi", 52'428'800},
                         {"50 MB", 52'428'800},
                         {"50mb", 52'428'800},
                         {"50mib", 52'428'800},
                         {"228k", 233'472},
                         {"227KiB", 232'448},
                         {"80GB", 85'899'345'920},
                         {"1.5G", 1'610'612'736},
                         {"0.5k", 512},
                         {"50B", 50},
                         {"50e6", 50'000'000},
                         {"50_000_000", 50'000'000}});
}

TEST_CASE("clocks and rates are powers of 1,000, Ki to Ti are powers of 1,024 everywhere") {
  check(Measure::clock, {{"1.5GHz", 1'500'000'000},
                         {"1500MHz", 1'500'000'000},
                         {"1500 MHz", 1'500'000'000},
                         {"1.5ghz", 1'500'000'000},
                         {"1.29G", 1'290'000'000},
                         {"1290M", 1'290'000'000}});
  check(Measure::byte_rate, {{"3.35TB/s", 3'350'000'000'000},
                             {"3350GB/s", 3'350'000'000'000},
                             {"8.3T", 8'300'000'000'000},
                             {"1Ti", std::int64_t{1} << 40}});
  check(Measure::rate, {{"4k", 4000}, {"4Ki", 4096}});
}

TEST_CASE("counts are powers of 1,024, and 1e6 is a million") {
  check(Measure::count, {{"128k", 131'072},
                         {"128K", 131'072},
                         {"1M", 1'048'576},
                         {"1e6", 1'000'000},
                         {"1.5k", 1536},
                         {"1_048_576", 1'048'576},
                         {"8 k", 8192},
                         {"64.0", 64},
                         {"1e+3", 1000}});
}

TEST_CASE("a fraction of a unit, an unknown suffix and a number beyond 64 bits are refused") {
  for (const char* typed : {"0.3k", "1.5", "8m", "8kB", "8kk", "-8", "8,192", "1_0000", "0x8", "", " ", "k", "1e", ".",
                            "nan", "9223372036854775808", "8388608T", "1e-1", "1e999999999999"}) {
    INFO(typed);
    CHECK_FALSE(whole_amount(Measure::count, typed));
  }
  CHECK_FALSE(whole_amount(Measure::bytes, "1.5GHz"));
  CHECK_FALSE(whole_amount(Measure::clock, "1500m"));         // a thousandth of a Hz
  CHECK_FALSE(whole_amount(Measure::byte_rate, "3350Gb/s"));  // bits
  CHECK(whole_amount(Measure::count, "9223372036854775807") == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("a refused amount names its range and the spelling that works") {
  const auto clock = [](const char* typed) {
    return not_an_amount(Measure::clock, typed, 100'000'000, 10'000'000'000).text();
  };
  CHECK(clock("1500") == "\"1500\" is not a clock in Hz from 100M to 10G: write 1500M");
  CHECK(clock("1.5") == "\"1.5\" is not a clock in Hz from 100M to 10G: write 1.5G");
  CHECK(clock("1500m") == "\"1500m\" is not a clock in Hz from 100M to 10G: write 1500M");
  CHECK(clock("fast") == "\"fast\" is not a clock in Hz from 100M to 10G, such as 1500M, 1500MHz or 1.5G");
  const auto length = [](const char* typed) { return not_an_amount(Measure::count, typed, 1, 1 << 20).text(); };
  CHECK(length("8,192") == "\"8,192\" is not a whole number from 1 to 1048576: write 8192");
  CHECK_THAT(length("8kB"), Contains(": write 8k"));
  CHECK(length("1500") == "\"1500\" is not a whole number from 1 to 1048576");
  CHECK_THAT(not_an_amount(Measure::bytes, "1.5GHz", 0, 1 << 30).text(), Contains("such as 50M, 50MB or 50MiB"));
}

TEST_CASE("fields of a device and device files read amounts like options") {
  const auto gpu = [](const std::string& fields) { return gpu_from("h100-sxm:" + fields, built_in_gpu); };
  for (const char* size : {"25M", "25MB", "25MiB", "25Mi", "26214400"})
    CHECK(gpu(text("l2_bytes=", size))->l2_bytes == 26'214'400);
  CHECK(gpu("clock_hz=1.5GHz")->clock_hz == 1'500'000'000);
  CHECK(gpu("hbm_bytes_per_second=2TB/s")->hbm_bytes_per_second == 2'000'000'000'000);
  CHECK(gpu("launch_nanoseconds=3us")->launch_nanoseconds == 3000);
  CHECK(gpu("register_bytes_per_sm=128k")->register_bytes_per_sm == 131'072);
  const std::string file = device_file::with_value("l2_bytes", "\"48 MB\"", "B", device_file::built_in("h100-sxm"));
  CHECK(parse_device(file, "x.toml").l2_bytes == 50'331'648);
  CHECK_THROWS_WITH(gpu("l2_bytes=50"), Contains("is not plausible: allowed are 512k to 499M B: write 50M"));
  CHECK_THROWS_WITH(gpu("clock_hz=1500"), Contains("allowed are 100M to 10G Hz: write 1500M"));
}

TEST_CASE("a measured time may have a blank before its unit and either micro sign") {
  for (const char* typed : {"572us", "572 us", "572\u00b5s", "572 \u03bcs", "0.572ms", "572e3ns"}) {
    INFO(typed);
    CHECK(parse_time("measured", typed) == 572);
  }
  CHECK(parse_time("measured", "2.6 ms") == 2600);
  CHECK_THROWS_WITH(parse_time("measured", "2,6ms"), Contains(": write 2.6ms"));
  CHECK_THROWS_WITH(parse_time("measured", "2.6"), Contains("with its unit") && Contains(": write 2.6ms"));
  CHECK_THROWS_WITH(parse_time("measured", "0ms"), Contains("is not a time above 0"));
}

}  // namespace
}  // namespace sim
