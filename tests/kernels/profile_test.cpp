// The CSV of Nsight Compute: both layouts, surrounding output, and untrusted files. All numbers are made up.
#include "kernels/profile/profile.h"

#include <catch2/catch.hpp>

#include "kernels/profile/command.h"
#include "kernels/profile/metric.h"
#include "kernels/profile/table.h"
#include "sim/base/check.h"
#include "tests/support/profile_text.h"

using Catch::Contains;
using profile::parse_profile;
using profile::Profile;
using profile_text::details;
using profile_text::raw;

namespace {

constexpr const char *bytes_read = "dram__bytes_read.sum", *duration = "gpu__time_duration.sum",
                     *throughput = "sm__throughput.avg.pct_of_peak_sustained_elapsed";

const std::vector<profile_text::Launch> two = {
    {"0", "first_kernel", {{bytes_read, "Kbyte", "1,024"}, {duration, "us", "2.5"}, {throughput, "%", "61.3"}}},
    {"1", "second<64, \"\"x\"\">", {{bytes_read, "Kbyte", "7"}, {duration, "us", "n/a"}, {throughput, "%", "61.3"}}}};

void check_two(const std::string& text) {
  const Profile read = parse_profile(text, "two.csv");
  REQUIRE(read.launches.size() == 2);
  CHECK(read.launches[0].id == "0");
  CHECK(read.launches[0].kernel == "first_kernel");
  CHECK(read.launches[0].capability == "9.0");
  CHECK(read.launches[0].readings.at(bytes_read)->value == 1024000);
  CHECK(read.launches[0].readings.at(duration)->value == 2.5);
  CHECK(read.launches[1].kernel == "second<64, \"x\">");
  CHECK(read.launches[1].readings.at(bytes_read)->value == 7000);
  CHECK(!read.launches[1].readings.at(duration));
  CHECK(read.unknown == std::vector<std::string>{throughput});
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

void check_refused(const std::string& text, const std::string& why) {
  INFO(text.substr(0, 400));
  CHECK_THROWS_WITH(parse_profile(text, "bad.csv"), Contains(why));
}

}  // namespace

TEST_CASE("both pages of Nsight Compute give the same profile") {
  check_two(raw(two));
  check_two(details(two));
}

TEST_CASE("a profile is found within the output of the profiler and the program") {
  const std::string before = "==PROF== Connected to process 77 (/app)\nmax error 1e-3, \"ok\"\n\n",
                    after = "==PROF== Disconnected from process 77\nID of the run: 5\n";
  check_two(before + raw(two) + after);
  check_two(before + details(two) + after);
  check_two("\xEF\xBB\xBF" + raw(two));
}

TEST_CASE("a profile may have Windows line ends, a repeated header, and no quotes") {
  std::string text = details(two), windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  check_two(windows);
  const std::string header = text.substr(0, text.find('\n') + 1);
  check_two(text + header);
  const Profile bare = parse_profile("ID,Kernel Name,dram__bytes_read.sum\n,,byte\n3,k,64\n", "bare.csv");
  CHECK(bare.launches.at(0).readings.at(bytes_read)->value == 64);
}

TEST_CASE("a rule of the details page is not a metric, and a metric may be repeated if its values agree") {
  const std::string text = details({two[0]}), last = text.substr(text.find('\n') + 1);
  CHECK(parse_profile(text + last, "x.csv").launches.size() == 1);
  const std::string rule = replaced(last.substr(0, last.find('\n') + 1), bytes_read, "");
  CHECK(parse_profile(text + rule, "x.csv").unknown.size() == 1);
  check_refused(text + replaced(last, "1,024", "1,026"), "has it twice, with different numbers");
}

TEST_CASE("each process counts its launches separately") {
  const std::string text = raw({two[0]});
  const std::string row = text.substr(text.rfind('\n', text.size() - 2) + 1);
  CHECK(parse_profile(text + replaced(row, "\"77\"", "\"78\""), "x.csv").launches.size() == 2);
  check_refused(text + row, "bad.csv:4: launch \"0\" occurs twice, first in line 3");
}

TEST_CASE("a file that is not a profile is refused with what to do") {
  check_refused("", "is empty");
  check_refused("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n", "counters need permission");
  check_refused("a,b\n1,2\n", "flashscope counters --ncu");
  check_refused("NVR\x01\x02", "ncu --import bad.csv --csv --page raw --print-units base > bad.csv.csv");
  check_refused("==PROF== Connected\n==WARNING== No kernels were profiled.\n", "check --kernel-name, --launch-skip");
  check_refused("\"Process ID\",\"Kernel Name\",\"Invocations\",\"Metric Name\"\n", "record without --print-summary");
  check_refused("\"ID\",\"Metric Name\"\n", "has no column \"Kernel Name\"");
  check_refused("\"ID\",\"Kernel Name\",\"Metric Name\"\n", "has no column \"Metric Unit\"");
  check_refused("\"ID\",\"Kernel Name\",\"ID\"\n", "column \"ID\" occurs twice");
  check_refused("\"ID\",\"Kernel Name\"\n", "has a header but no launches");
  check_refused(std::string(static_cast<std::size_t>(profile::longest_profile) + 1, 'x'), "more than");
}

TEST_CASE("a truncated or damaged profile is refused with the position") {
  const std::string text = raw(two);
  check_refused(text.substr(0, text.size() - 3), "bad.csv:4: column ");
  check_refused(text.substr(0, text.rfind(',')) + "\n", "bad.csv:4: has 13 cells, expected 14");
  check_refused(replaced(text, "1,024", "1,0\x01"), "bad.csv:3: column ");
  check_refused(replaced(text, "1,024", "many"), "bad.csv:3: dram__bytes_read.sum: \"many\" is not a number");
  check_refused(replaced(text, "Kbyte", "hz"), "bad.csv:3: dram__bytes_read.sum: the unit is \"hz\"");
  check_refused(text + profile_text::line(std::vector<std::string>(14)), "bad.csv:5: a launch without an ID");
  check_refused(replaced(details(two), "\"0\",\"77\"", "\"\",\"77\""), "bad.csv:2: ID: is empty");
  check_refused(replaced(details(two), "first_kernel", "other"), "in line 2 of \"other\"");
  check_refused(replaced(text, "first_kernel", std::string(70000, 'x')), "a cell of 70000 bytes");
}

TEST_CASE("launches are chosen by their ID or by a part of their kernel's name, in the order of the file") {
  const Profile read = parse_profile(raw(two), "two.csv");
  const auto ids = [&](const std::vector<std::string>& choices) {
    std::string text;
    for (const profile::Launch* launch : choose_launches(read, choices)) text += launch->id;
    return text;
  };
  CHECK(ids({}) == "01");
  CHECK(ids({"1"}) == "1");
  CHECK(ids({"second", "first"}) == "01");
  CHECK(ids({"<64"}) == "1");
  CHECK_THROWS_WITH(ids({"2"}), Contains("\"2\" fits no launch of two.csv, which has \"0\" \"first_kernel\", \"1\" "));
  CHECK_THROWS_WITH(ids({"1", "third"}), Contains("\"third\" fits no launch"));
  CHECK_THROWS_WITH(ids({""}), Contains("\"\" fits no launch"));
}

TEST_CASE("every metric that the ncu command records is known to the reader") {
  const std::string command = profile::ncu_command(), option = "--metrics ";
  std::string list = command.substr(command.find(option) + option.size());
  list = list.substr(0, list.find(' ')) + ",";
  std::size_t metrics = 0;
  for (std::size_t comma; (comma = list.find(',')) != std::string::npos; list.erase(0, comma + 1), ++metrics) {
    INFO(list.substr(0, comma));
    CHECK(profile::unit_of(list.substr(0, comma)).has_value());
  }
  CHECK(metrics == 13);
}
