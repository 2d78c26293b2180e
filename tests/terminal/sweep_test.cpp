// flashscope sweep: its points, their order and numbers; axes that cannot be read.
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/report/numbers.h"
#include "tests/support/program.h"
#include "tests/support/refusing.h"
#include "viz/results/axes.h"
#include "viz/terminal/request.h"
#include "viz/terminal/status_line.h"

using Catch::Contains;
using Json = nlohmann::ordered_json;
using program::check_refused;
using program::Folder;
using program::Refused;
using program::with;
using Words = std::vector<std::string>;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string output_of(const Words& words) {
  const program::Result result = program::run(words);
  INFO("stderr: " << result.err);
  REQUIRE(result.exit_code == 0);
  return result.out;
}

std::vector<std::string> values_of(const std::string& axis) {
  return results::parse_axis(axis, terminal::option_files()).values;
}

/// The start of each row up to the quantities: the swept options.
std::vector<std::string> places(const std::string& csv, int axes) {
  std::vector<std::string> result;
  for (const std::string& line : lines_of(csv)) {
    std::size_t end = 0;
    for (int n = 0; n < axes; ++n) end = line.find(',', end) + 1;
    result.push_back(line.substr(0, end - 1));
  }
  return result;
}

const Words mixed = {"sweep",  "--heads",    "2",      "--over",           "algorithm=standard,flash2",
                     "--over", "causal=0,1", "--over", "seqlen=100:400:x2"};

}  // namespace

TEST_CASE("a range steps by k, +k or xk and includes its last value if it is reached") {
  CHECK(values_of("seqlen=1024:8192:x2") == Words{"1024", "2048", "4096", "8192"});
  CHECK(values_of("seqlen=10:39:10") == Words{"10", "20", "30"});
  CHECK(values_of("seqlen=10:40:+10") == Words{"10", "20", "30", "40"});
  CHECK(values_of("seqlen=3:80:x3") == Words{"3", "9", "27"});
  CHECK(values_of("seqlen=7:7:1") == Words{"7"});
  CHECK(values_of("seqlen=1:1099511627776:x1048576") == Words{"1", "1048576", "1099511627776"});
  CHECK(values_of("seqlen=1099511627775:1099511627776:1") == Words{"1099511627775", "1099511627776"});
  CHECK(values_of("seqlen=5,64:128:64,1000") == Words{"5", "64", "128", "1000"});
  CHECK(values_of("dropout=0:0.3:0.1") == Words{"0", "0.1", "0.2", "0.3"});
  CHECK(values_of("scale=-1:1:0.5") == Words{"-1", "-0.5", "0", "0.5", "1"});
  CHECK(values_of("seqlen=1:100000:1").size() == 100'000);
}

TEST_CASE("sweep prints one row per point, the first axis slowest") {
  const std::vector<std::string> rows = places(output_of(mixed), 3);
  CHECK(rows == Words{"algorithm,causal,seqlen", "standard,false,100", "standard,false,200", "standard,false,400",
                      "standard,true,100", "standard,true,200", "standard,true,400", "flash2,false,100",
                      "flash2,false,200", "flash2,false,400", "flash2,true,100", "flash2,true,200", "flash2,true,400"});
}

TEST_CASE("a row of sweep has the numbers that simulate prints for its point") {
  const Json swept = Json::parse(output_of(with(mixed, {"--format", "json"})));
  CHECK(swept.at("schema") == 1);
  CHECK(swept.at("failed") == 0);
  CHECK(swept.at("sweep").at("scenario") == Json{{"heads", "2"}});
  REQUIRE(swept.at("rows").size() == 12);
  for (const Json& row : swept.at("rows")) {
    Words words = {"simulate",          "--heads",  "2",
                   "--format",          "json",     "--algorithm",
                   row.at("algorithm"), "--seqlen", row.at("seqlen").dump()};
    if (row.at("causal") == true) words.emplace_back("--causal");
    const Json simulated = Json::parse(output_of(words));
    CHECK(row.at("br") == simulated.at("scenario").at("br"));
    CHECK(row.at("bc") == simulated.at("scenario").at("bc"));
    CHECK(row.at("bound_by") == simulated.at("time").at("bound_by"));
    CHECK(row.at("error").is_null());
    int quantities = 0;
    for (const auto& [name, value] : row.items()) {
      if (name.find('.') == std::string::npos) continue;
      std::string pointer = "/" + name;
      std::replace(pointer.begin(), pointer.end(), '.', '/');
      CHECK(value == simulated.at(Json::json_pointer(pointer)));
      ++quantities;
    }
    CHECK(quantities == 16);
  }
}

TEST_CASE("csv has the cells of json, and the table has a line for each") {
  const Json swept = Json::parse(output_of(with(mixed, {"--format", "json"})));
  const std::vector<std::string> csv = lines_of(output_of(mixed));
  const std::vector<std::string> table = lines_of(output_of(with(mixed, {"--format", "table"})));
  REQUIRE(csv.size() == 13);
  REQUIRE(table.size() >= 14);  // and explanations of its terms
  for (std::size_t n = 0; n < 12; ++n) {
    std::string line;
    for (const auto& [name, value] : swept.at("rows").at(n).items())
      line += "," + (value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump());
    CHECK(csv[n + 1] == line.substr(1));
    const Json& row = swept.at("rows").at(n);
    CHECK_THAT(table[n + 2], Contains(row.at("algorithm").get<std::string>()) &&
                                 Contains(report::bytes(row.at("memory.peak_hbm_bytes").get<std::int64_t>())));
  }
}

TEST_CASE("every scenario option can be an axis", "[repeats]") {
  for (const char* axis : {"model=llama-3-8b,gpt2-medium",
                           "pass=forward,backward",
                           "batch=1,2",
                           "heads=1,2",
                           "kv-heads=1",
                           "seqlen-q=64",
                           "seqlen-k=64",
                           "head-dim=32,64",
                           "dtype=fp16,bf16,fp32",
                           "causal=0,1",
                           "padding=0,5",
                           "window=8",
                           "dropout=0,0.5",
                           "scale=0.5",
                           "gpu=toy,a100-sxm-40gb",
                           "sram=32768",
                           "tiling=kernel,paper",
                           "br=16,32",
                           "bc=16",
                           "seed=0:5:1"}) {
    const Json swept = Json::parse(output_of({"sweep", "--over", axis, "--format", "json"}));
    INFO(axis);
    CHECK(swept.at("failed") == 0);
    CHECK(swept.at("rows").size() == values_of(axis).size());
  }
}

TEST_CASE("the number of jobs does not change the result", "[workers]") {
  const Words words = {"sweep", "--over", "seqlen=1:400:1", "--over", "head-dim=8,64,4000"};
  const std::string one = output_of(with(words, {"--jobs", "1"}));
  CHECK(lines_of(one).size() == 1201);
  CHECK(output_of(words) == one);
  CHECK(output_of(with(words, {"--jobs", "16"})) == one);
}

TEST_CASE("shards are a partition of the points") {
  std::vector<std::string> whole = lines_of(output_of(mixed)), together;
  for (const char* shard : {"1/5", "2/5", "3/5", "4/5", "5/5"}) {
    const std::vector<std::string> rows = lines_of(output_of(with(mixed, {"--shard", shard})));
    CHECK(rows[0] == whole[0]);
    CHECK(rows[1] == whole[static_cast<std::size_t>(shard[0] - '0')]);
    together.insert(together.end(), rows.begin() + 1, rows.end());
  }
  whole.erase(whole.begin());
  std::sort(whole.begin(), whole.end());
  std::sort(together.begin(), together.end());
  CHECK(together == whole);
  CHECK(lines_of(output_of({"sweep", "--over", "seqlen=8,9", "--shard", "3/3"})).size() == 1);
}

TEST_CASE("a point that cannot run is a row with its reason, and the sweep continues", "[workers]") {
  const program::Result result = program::run({"sweep", "--over", "padding=0,2000", "--over", "br=64,16384"});
  CHECK(result.exit_code == 0);
  const std::vector<std::string> rows = lines_of(result.out);
  REQUIRE(rows.size() == 5);
  CHECK_THAT(rows[1], Contains("4325376"));
  CHECK_THAT(rows[2], Contains("0,16384,,,,,,,,,,,,,,,,,,,\"flash2.cpp") && Contains("do not fit"));
  CHECK_THAT(rows[3], Contains("padding is 2000"));
  CHECK_THAT(result.err, Contains("warning: 3 of 4 points cannot run"));
}

TEST_CASE("an axis that cannot be read is refused before any work") {
  const auto refused = [](const std::string& axis, const Words& says) {
    check_refused({"sweep", "--over", axis}, says);
  };
  check_refused({"sweep"}, {"needs an axis", "--over NAME=VALUES"});
  refused("seqlen", {"\"seqlen\" is not NAME=VALUES"});
  refused("sqelen=1,2", {"unknown option", "did you mean \"seqlen\""});
  refused("seqlen=", {"a value is missing"});
  refused("seqlen=1,,2", {"a value is missing"});
  refused("seqlen=1:2", {"\"1:2\" is not FIRST:LAST:STEP"});
  refused("seqlen=1:2:", {"is not FIRST:LAST:STEP"});
  refused("seqlen=1:9:0", {"a step needs to be above 0"});
  refused("seqlen=1:9:x1", {"does not grow"});
  refused("padding=0:9:x2", {"a first value above 0"});
  refused("seqlen=9:1:1", {"is empty: 9 is beyond 1"});
  refused("seqlen=1:9:-1", {"\"-1\" is not a whole number"});
  refused("dropout=0:nan:0.1", {"\"nan\" is not a finite number"});
  refused("seqlen=64,abc", {"over: seqlen: \"abc\" is not a whole number from 1 to"});
  refused("seqlen=0:64:16", {"over: seqlen: \"0\" is not a whole number from 1 to"});
  refused("dtype=fp16:fp32:x2", {"unknown dtype"});
  refused("gpu=h10", {"did you mean \"h100-sxm\""});
  refused("causal=maybe", {"unknown causal"});
  refused("seqlen=64,128,64", {"64 occurs twice"});
  check_refused({"sweep", "--over", "seqlen=1", "--over", "seqlen=2"}, {"seqlen is an axis twice"});
  check_refused({"sweep", "--seqlen", "5", "--over", "seqlen=1"}, {"seqlen is also given as --seqlen"});
  check_refused({"sweep", "--over"}, {"--over needs a value"});
  check_refused({"sweep", "--over", "seqlen=1", "batch=2"}, {"unexpected word \"batch=2\""});
}

TEST_CASE("a sweep of too many points is refused with their number") {
  check_refused({"sweep", "--over", "seqlen=1:20000000:1"}, {"makes 20,000,000 points, more than 1,000,000"});
  check_refused({"sweep", "--over", "seqlen=1:1099511627776:1"}, {"1,099,511,627,776 points"});
  check_refused({"sweep", "--over", "scale=0:1e300:1e-300"}, {"points, more than 1,000,000"});
  Words words = {"sweep"};
  for (const char* axis : {"seqlen", "heads", "batch", "seed"}) {
    words = with(words, {"--over", std::string(axis) + "=1:10000:1"});
  }
  check_refused(words, {"makes about 1.0e+16 points, more than 1,000,000"});
  check_refused({"sweep", "--over", "seqlen=1:20000:1", "--format", "table"}, {"20,000 rows is more than 10,000"});
}

TEST_CASE("invalid jobs, shards and paths are refused") {
  const Words words = {"sweep", "--over", "seqlen=64,128"};
  for (const char* shard : {"0/4", "5/4", "a/b", "1", "1/0", "-1/4", "1/4/4", ""})
    check_refused(with(words, {"--shard", shard}), {"shard: "});
  for (const char* jobs : {"0", "1025", "-1", "many"}) check_refused(with(words, {"--jobs", jobs}), {"from 1 to 1024"});
  check_refused(with(words, {"--output", "nowhere/rows.csv"}), {"nowhere/rows.csv"});
  check_refused(with(words, {"--output", "/dev/full"}), {"No space left"});
  const program::Result full = program::run(Folder(), words, "/dev/full");
  CHECK(full.exit_code == 2);
  CHECK_THAT(full.err, Contains("No space left"));
}

TEST_CASE("sweep --output writes the bytes of stdout, and keeps the old file when it fails") {
  const Folder folder;
  program::write_file(folder / "rows.csv", "old");
  check_refused(folder, {"sweep", "--over", "seqlen=64,128", "--formula", "N-128", "--output", "rows.csv"},
                {"at seqlen=64"});
  CHECK(program::read_file(folder / "rows.csv") == "old");
  CHECK(program::run(folder, with(mixed, {"--output", "rows.csv"})).out.empty());
  CHECK(program::read_file(folder / "rows.csv") == output_of(mixed));
  CHECK(folder.files() == 1);
}

TEST_CASE("Ctrl-C ends a sweep with exit code 130, and the old file stays", "[workers]") {
  const Folder folder;
  program::write_file(folder / "rows.csv", "old");
  const pid_t child = program::start_silently(folder, {"sweep", "--over", "seqlen=1:100000:1", "--output", "rows.csv"},
                                              Refused::nameless_files);
  program::wait_until([&] { return folder.files() > 1; }, child);  // the sweep has opened its output
  ::kill(child, SIGINT);
  const int code = program::wait_for(child);
  if (code == 77) {
    WARN("skipped: calls cannot be refused here (seccomp)");
    return;
  }
  CHECK(code == 130);
  CHECK(program::read_file(folder / "rows.csv") == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("a sweep in a pipe prints nothing on stderr") { CHECK(program::run(mixed).err.empty()); }

TEST_CASE("the progress line has count, rate and remaining time") {
  CHECK(terminal::progress_line(3210, 10000, 1.0) == "sweep: 3,210 of 10,000 (32 %), 3,210 scenarios/s, 2.1 s left");
  CHECK(terminal::progress_line(1, 1000, 2.0) == "sweep: 1 of 1,000 (0 %), 0.5 scenarios/s, 33.3 min left");
  CHECK(terminal::progress_line(0, 10, 2.0) == "sweep: 0 of 10 (0 %)");
}

namespace {

/// The output of a sweep of `points` points on a terminal.
std::string shown_on_a_terminal(int points) {
  const std::string axis = sim::text("seqlen=60000:", 59'999 + points, ":1");
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::setenv("TERM", "xterm", 1);  // a bare system sets none, and then no progress is shown
    ::execl(FLASHSCOPE_PROGRAM, "flashscope", "sweep", "--over", "algorithm=memory-efficient", "--over", axis.c_str(),
            "--output", "/dev/null", nullptr);
    ::_exit(127);
  }
  REQUIRE(child > 0);
  std::string shown;
  char piece[4096];
  for (ssize_t n; (n = ::read(terminal, piece, sizeof piece)) > 0;) shown.append(piece, static_cast<std::size_t>(n));
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  return shown;
}

}  // namespace

TEST_CASE("on a terminal sweep shows its progress and clears it") {
  if (!program::terminals_can_be_had()) return;
  int points = 121;
  std::string shown = shown_on_a_terminal(points);
  while (shown.empty() && points < 500'000) shown = shown_on_a_terminal(points *= 4);  // printed ten times a second
  CHECK_THAT(shown, Contains("\rsweep: ") && Contains(" of " + report::thousands(points) + " (") &&
                        Contains(" scenarios/s, ") && Contains(" s left"));
  CHECK_THAT(shown, Catch::EndsWith("\r\033[K"));
}
