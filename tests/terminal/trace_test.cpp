// --trace and --cta of simulate: the files, and what is rejected.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;
using Words = std::vector<std::string>;

namespace {

Words traced(const std::string& file, const Words& more = {}) {
  Words words = {"simulate", "--seqlen", "300", "--heads", "2", "--trace", file};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string trace_of(const Folder& folder, const std::string& file, const Words& more = {}) {
  const program::Result result = program::run(folder, traced(file, more));
  INFO("stderr: " << result.err);
  REQUIRE(result.exit_code == 0);
  return program::read_file(folder / file);
}

}  // namespace

TEST_CASE("a JSON trace parses, names every process and thread, and its slices do not overlap") {
  const Folder folder;
  const Json trace = Json::parse(trace_of(folder, "t.json", {"--algorithm", "standard", "--causal"}));
  CHECK(trace.at("otherData").at("title").is_string());
  std::set<int> processes;
  std::set<std::pair<int, int>> threads;
  std::map<std::pair<int, int>, double> free;
  std::set<std::string> counters;
  for (const Json& event : trace.at("traceEvents")) {
    const int pid = event.at("pid");
    const std::string phase = event.at("ph"), name = event.at("name");
    if (phase == "M" && name == "process_name") processes.insert(pid);
    if (phase == "M" && name == "thread_name") threads.insert({pid, event.at("tid")});
    CHECK(processes.count(pid) == 1);
    if (phase == "C") counters.insert(name);
    if (phase != "X") continue;
    const std::pair<int, int> thread{pid, event.at("tid")};
    CHECK(threads.count(thread) == 1);
    CHECK(event.at("ts").get<double>() >= free[thread] - 1e-6);  // decimals in binary; a nanosecond is 1e-3
    free[thread] = event.at("ts").get<double>() + event.at("dur").get<double>();
  }
  CHECK(processes.size() == 5);  // the sequence and its four kernels
  CHECK(counters == std::set<std::string>{"HBM memory", "SMEM", "registers"});
}

TEST_CASE("a JSON trace holds every event of the CSV with its bytes") {
  const Folder folder;
  const Json trace = Json::parse(trace_of(folder, "t.json"));
  std::vector<std::string> rows;
  std::istringstream csv(trace_of(folder, "t.csv"));
  for (std::string row; std::getline(csv, row);) rows.push_back(row);
  std::int64_t events = 0, bytes = 0;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("ph") != "X" || event.at("pid") == 1) continue;
    ++events;
    bytes += event.at("args").value("bytes", std::int64_t{0});
    CHECK_THAT(rows.at(event.at("args").at("event").get<std::size_t>() + 1),
               Contains("flash2_forward," + event.at("args").at("event").dump() + ","));
  }
  CHECK(events == static_cast<std::int64_t>(rows.size()) - 1);
  const Json& kernel = trace.at("traceEvents").at(4).at("args");
  CHECK(bytes ==
        kernel.at("read_bytes_of_cta").get<std::int64_t>() + kernel.at("written_bytes_of_cta").get<std::int64_t>());
}

TEST_CASE("the suffix selects the format, and stdout is the same with a trace") {
  const Folder folder;
  const std::string plain = program::run({"simulate", "--seqlen", "300", "--heads", "2"}).out;
  for (const char* file : {"t.pftrace", "t.json", "t.csv", "t.txt"}) {
    const program::Result result = program::run(folder, traced(file));
    CHECK(result.exit_code == 0);
    CHECK(result.out == plain);
    CHECK(result.err.empty());
  }
  CHECK(program::read_file(folder / "t.pftrace").starts_with("\n"));  // the key of Trace.packet
  CHECK(program::read_file(folder / "t.json").starts_with("{"));
  CHECK(program::read_file(folder / "t.csv").starts_with("kernel,event,line"));
  CHECK(program::read_file(folder / "t.txt").starts_with("kernel flash2_forward listing programs/flash2/flash2.cpp"));
  CHECK(folder.files() == 4);
}

TEST_CASE("an unknown suffix is refused with the known ones") {
  const Folder folder;
  for (const char* file : {"trace", "t.pb", "t.JSON", ".json", "t.json.gz", "t."}) {
    check_refused(folder, traced(file), {"trace: ", file, ".pftrace (Perfetto), .json (Chrome), .csv and .txt"});
  }
  check_refused(folder, traced(""), {"trace: "});
  CHECK(folder.files() == 0);
}

TEST_CASE("the option --cta selects the CTA, and the last row block of the first head is the default") {
  const Folder folder;
  const std::string by_default = trace_of(folder, "t.txt");
  CHECK(trace_of(folder, "t.txt", {"--cta", "0,0,2,0"}) == by_default);
  CHECK(trace_of(folder, "t.txt", {"--cta", "0,0,0,0"}) != by_default);
  CHECK_THAT(trace_of(folder, "t.json", {"--cta", "0,1,1,0"}), Contains("CTA: batch 0, head 1, row block 1"));
}

TEST_CASE("a CTA that is malformed or outside the grid is refused, and nothing is written") {
  const Folder folder;
  for (const char* cta : {"", "1", "0,0,0", "0,0,0,0,0", "0,0,0,", "0,0,0,0,", "a,0,0,0", "-1,0,0,0", "0,0,1.5,0",
                          "0,0,99999999999999999999,0"}) {
    check_refused(folder, traced("t.json", {"--cta", cta}), {"cta: "});
  }
  for (const char* cta : {"1,0,0,0", "0,2,0,0", "0,0,3,0", "0,0,0,1", "0,0,9223372036854775807,0"}) {
    check_refused(folder, traced("t.json", {"--cta", cta}),
                  {cta, "batch 0 to 0, head 0 to 1, row block 0 to 2, column block 0 to 0"});
  }
  check_refused(folder, {"simulate", "--cta", "0,0,0,0"}, {"cta: selects the CTA that --trace writes"});
  CHECK(folder.files() == 0);
}

TEST_CASE("a trace that cannot be written is an error, and an existing file stays") {
  const Folder folder;
  program::write_file(folder / "file", "old");
  program::write_file(folder / "old.json", "old");
  program::fs::create_directory(folder / "folder.json");
  program::fs::create_symlink("/dev/full", folder / "full.json");
  check_refused(folder, traced("gone/t.json"), {"gone/t.json"});
  check_refused(folder, traced("file/t.json"), {"file/t.json", "Not a directory"});
  check_refused(folder, traced("folder.json"), {"is a directory"});
  check_refused(folder, traced("full.json"), {"full.json", "No space left"});
  check_refused(folder, traced("old.json", {"--cta", "9,9,9,9"}), {"outside the grid"});
  CHECK(program::read_file(folder / "old.json") == "old");
  CHECK(folder.files() == 4);
}

TEST_CASE("a CTA with more events than a replay's limit is refused, and nothing is written", "[repeats]") {
  const Folder folder;
  check_refused(folder,
                {"simulate", "--algorithm", "memory-efficient", "--seqlen-q", "1", "--seqlen-k", "80000000", "--bc",
                 "64", "--trace", "t.json"},
                {"one CTA has more than 4194304 events"});
  CHECK(folder.files() == 0);
}

TEST_CASE("a trace can be combined with computed values and their files") {
  const Folder folder;
  trace_of(folder, "t.pftrace", {"--output", "o.npy"});
  CHECK(program::fs::exists(folder / "o.npy"));
  check_refused(folder, traced("new.json", {"--output", "gone/o.npy"}), {"gone/o.npy"});
  CHECK(folder.files() == 2);
}

TEST_CASE("a trace is valid JSON whatever the device is called") {
  const Folder folder;
  const Json toy = Json::parse(program::run({"devices", "--gpu", "toy", "--format", "json"}).out).at("devices").at(0);
  std::string toml = "name = \"mine\"\ntitle = \"My \\\"GPU\\\" \\\\\"\narchitecture = \"toy\"\n";
  for (const auto& [field, entry] : toy.at("fields").items()) {
    toml += field + " = { value = " + entry.at("value").dump() + ", unit = " + entry.at("unit").dump() +
            ", kind = \"estimated\", source = \"test\" }\n";
  }
  program::write_file(folder / "mine.toml", toml);
  const Json trace = Json::parse(trace_of(folder, "t.json", {"--gpu", "mine.toml"}));
  CHECK_THAT(trace.at("otherData").at("title").get<std::string>(), Contains("My \"GPU\" \\"));
}

TEST_CASE("demo writes its trace as text and for Perfetto") {
  const Folder folder;
  const program::Result result = program::run(folder, {"demo", "--seqlen", "64"});
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("https://ui.perfetto.dev") && Contains("flashscope-demo/flash2-trace.pftrace"));
  CHECK(program::read_file(folder / "flashscope-demo/flash2-trace.pftrace").starts_with("\n"));
  CHECK(program::read_file(folder / "flashscope-demo/flash2-trace.txt").starts_with("kernel flash2_forward"));
}
