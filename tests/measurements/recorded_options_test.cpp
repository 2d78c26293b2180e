// --recorded of verify and validate. The recordings are invented: no GPU made them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/measurements/example.h"
#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;
using program::with;

namespace {

using Words = std::vector<std::string>;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const Words verify_h200 = {"verify",   "--heads", "2",    "--seqlen",   "256",
                           "--causal", "--gpu",   "h200", "--recorded", "h200.csv"};

/// Writes the example as h200.csv; later.csv with another time; no-gpu.csv as made on the emulated device.
void write_recordings(const Folder& folder) {
  program::write_file(folder / "h200.csv", example_recording);
  program::write_file(folder / "later.csv", replaced(example_recording, "us,20.5,20.1", "us,20.75,20.1"));
  program::write_file(folder / "no-gpu.csv", replaced(example_recording, "# gpu: h200\n", ""));
}

program::Result ran(const Folder& folder, const Words& words) {
  program::Result result = program::run(folder, words);
  INFO(result.err << result.out);
  CHECK(result.exit_code == 0);
  return result;
}

/// The last row of a quantity: recorded ones follow those of the run.
Json row_of(const Json& verdict, const std::string& quantity) {
  Json found;
  for (const Json& row : verdict.at("rows")) {
    if (row.at("quantity") == quantity) found = row;
  }
  return found;
}

/// Adds two times of flash2_mma, so that three are scored, and `more`.
std::string three_times(const std::string& more = "") {
  const std::string row = "flash2_mma,flash2,forward,1,2,2,N,N,64,fp16,1,,0,0,,,,,,,,,,,,,cold,time,us,30,29,31,30,,\n";
  const auto of_length = [&](const std::string& n) {
    return replaced(replaced(row, ",N,", "," + n + ","), ",N,", "," + n + ",");
  };
  return example_recording + of_length("512") + of_length("1024") + more;
}

}  // namespace

TEST_CASE("verify compares recorded figures with the simulation, with the contract's keys and their source") {
  const Folder folder;
  write_recordings(folder);
  const program::Result result = ran(folder, with(verify_h200, {"--format", "json"}));
  CHECK(result.err == "note: time: 4 of 132 SMs get work, the rest of the card is idle\n");
  const Json verdict = Json::parse(result.out), time = row_of(verdict, "time");
  CHECK(time.at("measured") == 20.5);
  CHECK(time.at("ok") == true);
  CHECK(time.size() == 8);
  CHECK_THAT(time.at("cause").get<std::string>(),
             Contains("recorded: Example H200, driver 1.2.3, 2026-01-02 (h200.csv), cold caches; predicted for h200"));
  const Json read = row_of(verdict, "hbm_traffic.read_bytes");
  CHECK(read.at("measured") == 200000);
  CHECK(read.at("cause") == "recorded: Example H200, driver 1.2.3, 2026-01-02 (h200.csv), cold caches");
  CHECK_THAT(ran(folder, verify_h200).out, Contains("recorded: Example H200") && Contains("\nverified: "));
}

TEST_CASE("of several recordings the one given last wins") {
  const Folder folder;
  write_recordings(folder);
  const auto measured = [&](const Words& files) {
    Words words = with(verify_h200, {"--format", "json"});
    for (const std::string& file : files) words = with(words, {"--recorded", file});
    return row_of(Json::parse(ran(folder, words).out), "time").at("measured").get<double>();
  };
  CHECK(measured({"later.csv"}) == 20.75);
  CHECK(measured({"later.csv", "h200.csv"}) == 20.5);
}

TEST_CASE("verify reports once on stderr which other GPU has a recording of the scenario") {
  const Folder folder;
  write_recordings(folder);
  const Words elsewhere = {"verify", "--heads", "2", "--seqlen", "256", "--causal", "--recorded", "h200.csv"};
  const program::Result result = ran(folder, with(elsewhere, {"--gpu", "t4"}));
  CHECK(result.err == "warning: recorded on h200 as well: --gpu h200 shows it\n");
  CHECK_THAT(result.out, !Contains("recorded"));
  const program::Result other_kernel = ran(folder, with(elsewhere, {"--gpu", "t4", "--kernel", "flash2"}));
  CHECK(other_kernel.err.empty());
  program::write_file(folder / "list.txt", "--seqlen 256\n--seqlen 256 --dtype fp16\n--seqlen 40\n");
  const program::Result list = ran(folder, {"verify", "--scenarios", "list.txt", "--heads", "2", "--causal", "--gpu",
                                            "t4", "--recorded", "h200.csv"});
  CHECK(list.err == result.err);
}

TEST_CASE("a list shows the recorded figures of its scenarios") {
  const Folder folder;
  write_recordings(folder);
  program::write_file(folder / "list.txt", "--seqlen 40\n--seqlen 256\n");
  const Words words = {"verify",   "--scenarios", "list.txt", "--heads",    "2",
                       "--causal", "--gpu",       "h200",     "--recorded", "h200.csv"};
  const std::string table = ran(folder, words).out;
  CHECK_THAT(table, Contains("\n--seqlen 256\nquantity") && Contains("recorded: Example H200") &&
                        !Contains("\n--seqlen 40\nquantity") && Contains("verified: 2 scenarios"));
  const Json list = Json::parse(ran(folder, with(words, {"--format", "json"})).out);
  CHECK(row_of(list.at("verdicts").at(1), "time").at("measured") == 20.5);
  CHECK(row_of(list.at("verdicts").at(0), "time").is_null());
}

TEST_CASE("invalid recordings, or of no GPU, are refused by verify and validate alike") {
  const Folder folder;
  write_recordings(folder);
  program::write_file(folder / "wrong.csv", "a,b\n1,2\n");
  program::write_file(folder / "binary.csv", std::string("\x7f"
                                                         "ELF\0\xff",
                                                         6));
  program::write_file(folder / "cut.csv", std::string(example_recording).substr(0, 300));
  program::write_file(folder / "units.csv", replaced(example_recording, "time,us", "time,ms"));
  program::write_file(folder / "large.csv", example_recording + std::string(2 << 20, '\n'));
  for (const char* command : {"verify", "validate"}) {
    const auto refused = [&](const std::string& file, const std::string& says) {
      check_refused(folder, {command, "--recorded", file}, {says});
    };
    refused("no-gpu.csv", "no-gpu.csv: was not measured on a GPU");
    refused("wrong.csv", "wrong.csv:1: is not a recording");
    refused("binary.csv", "binary.csv:1: is not a recording");
    refused("cut.csv", "cut.csv");
    refused("units.csv", "units.csv:10: unit: \"ms\" is not the unit of time");
    refused("large.csv", "large.csv");
    refused("missing.csv", "missing.csv");
    check_refused(folder, {command, "--recorded"}, {"--recorded needs a value"});
  }
  check_refused(folder, {"verify", "--import", "h200.csv", "--recorded", "h200.csv"}, {"recorded: is for our kernels"});
}

TEST_CASE("validate takes recorded times as a group of points", "[repeats]") {
  const Folder folder;
  program::write_file(folder / "h200.csv", three_times());
  const Words words = {"validate", "--recorded", "h200.csv", "--group", "h200"};
  const std::string table = ran(folder, with(words, {"--points"})).out;
  CHECK_THAT(table, Contains("predicted / published or recorded - 1") && Contains("flash2 by flash2_mma forward") &&
                        Contains("held out: 3 points") && !Contains("left out"));
  const Json j = Json::parse(ran(folder, with(words, {"--points", "--format", "json"})).out);
  REQUIRE(j.at("points").size() == 3);
  CHECK(j.at("points").at(0).at("kernel") == "flash2_mma");
  CHECK(j.at("points").at(0).at("source") == "Example H200, driver 1.2.3, 2026-01-02 (h200.csv)");
  CHECK(j.at("points").at(0).at("published") == Approx(20.5));
  REQUIRE(j.at("groups").size() == 1);
  CHECK(j.at("groups").at(0).at("gpu") == "h200");
  const std::string csv = ran(folder, {"validate", "--recorded", "h200.csv", "--points", "--format", "csv"}).out;
  const long columns = std::count(csv.begin(), csv.begin() + static_cast<std::ptrdiff_t>(csv.find('\n')), ',');
  const std::string last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
  CHECK_THAT(last, Contains("flash2_mma") && Contains("\"Example H200, driver 1.2.3, 2026-01-02 (h200.csv)\""));
  CHECK(std::count(last.begin(), last.end(), ',') == columns + 2);  // two commas in the label
}

TEST_CASE("validate reports how many recorded times it leaves out", "[repeats]") {
  const Folder folder;
  program::write_file(
      folder / "h200.csv",
      three_times("flash2_mma,flash2,forward,1,2,2,512,512,64,fp16,1,64,0,0,,,,,,,,,,,,,cold,time,us,30,29,31,30,,\n"));
  CHECK_THAT(ran(folder, {"validate", "--recorded", "h200.csv", "--group", "h200"}).out,
             Contains("\nrecorded, left out: 1 time with"));
}

TEST_CASE("a fit takes every other recorded point and reports it", "[slow]") {
  const Folder folder;
  program::write_file(folder / "h200.csv", three_times());
  const Words words = {"validate", "--recorded", "h200.csv", "--fit", "h200"};
  CHECK_THAT(ran(folder, words).out, Contains("fitted: every other recorded point of h200.csv\n"));
  const Json j = Json::parse(ran(folder, with(words, {"--points", "--format", "json"})).out);
  std::string fitted;
  for (const Json& p : j.at("points")) {
    if (p.at("group") == "h200") fitted += p.at("fitted") == true ? "1" : "0";
  }
  CHECK(fitted == "101");
  const Json other = Json::parse(ran(folder, {"validate", "--recorded", "h200.csv", "--format", "json"}).out);
  CHECK(other.at("fitted").at("points") ==
        Json::parse(ran(folder, {"validate", "--format", "json"}).out)["fitted"]["points"]);
}

TEST_CASE("validate refuses recordings with --update, names of published groups and unknown groups") {
  const Folder folder;
  write_recordings(folder);
  program::write_file(folder / "fa2-paper-a100.csv", example_recording);
  check_refused(folder, {"validate", "--update", "--recorded", "h200.csv"},
                {"update:", "cannot be combined with --recorded"});
  check_refused(folder, {"validate", "--recorded", "fa2-paper-a100.csv"}, {"is the name of a table of published"});
  check_refused(folder, {"validate", "--recorded", "h200.csv", "--group", "h201"}, {"did you mean \"h200\"?"});
}

TEST_CASE("verify shows recorded figures alone, on the recorded GPU, and runs nothing") {
  const Folder folder;
  write_recordings(folder);
  const Words recorded = {"verify", "--device",   "recorded", "--heads",  "2",    "--seqlen",
                          "256",    "--recorded", "h200.csv", "--format", "json", "--causal"};
  const Json verdict = Json::parse(ran(folder, recorded).out);
  CHECK(verdict.at("device") == "recorded");
  CHECK(verdict.at("rows").size() == 2);
  CHECK(row_of(verdict, "time").at("measured") == 20.5);
  CHECK(row_of(verdict, "hbm_traffic.read_bytes").at("measured") == 200000);
  const std::string large = replaced(replaced(example_recording, "256,256", "65536,65536"), "1,2,2", "64,64,64");
  program::write_file(folder / "large.csv", large);  // a CPU would take days
  const program::Result table = ran(folder, {"verify", "--device", "recorded", "--recorded", "large.csv", "--batch",
                                             "64", "--heads", "64", "--seqlen", "65536", "--causal"});
  CHECK_THAT(table.out, Contains("N 65,536, d 64, fp16, causal, h200") && Contains("kernel flash2_mma, recorded"));
}

TEST_CASE("a list shows its recorded scenarios, and reports how many have none") {
  const Folder folder;
  write_recordings(folder);
  program::write_file(folder / "list.txt", "--heads 2 --seqlen 256 --causal\n--seqlen 300\n--algorithm flash1\n");
  const Words words = {"verify", "--device", "recorded", "--recorded", "h200.csv", "--scenarios", "list.txt"};
  const program::Result result = ran(folder, words);
  CHECK(result.err == "warning: of 3 scenarios 2 are not recorded\n");
  CHECK_THAT(result.out, Contains("verified: 1 scenario") && Contains("recorded: Example H200"));
}

TEST_CASE("without any recorded figures verify ends with exit code 3 and tells how to record") {
  const Folder folder;
  write_recordings(folder);
  const Words recorded = {"verify", "--device", "recorded"};
  for (const Words& more :
       {Words{}, Words{"--recorded", "h200.csv", "--heads", "2", "--seqlen", "256", "--causal", "--gpu", "t4"}}) {
    const program::Result result = program::run(folder, with(recorded, more));
    CHECK(result.exit_code == 3);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Contains("is recorded") && Contains("kernels/measure.sh records on a GPU"));
  }
  check_refused(folder, with(recorded, {"--schedules", "2"}), {"schedules", "--device recorded runs none"});
  check_refused(folder, with(recorded, {"--input-q", "q.npy"}), {"input-q", "--device recorded runs none"});
  check_refused(folder, with(recorded, {"--recorded", "no-gpu.csv"}), {"no-gpu.csv", "was not measured on a GPU"});
}
