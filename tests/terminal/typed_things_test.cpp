// Small details of typed input, and the program's replies.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "lessons/catalogue.h"
#include "lessons/page.h"
#include "tests/support/program.h"

using Catch::Contains;
using program::check_refused;
using program::Folder;
using program::good;
using program::with;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

Json sweep(const Words& words) { return Json::parse(good(with({"sweep", "--format", "json"}, words)).out).at("rows"); }

/// The verdict on a formula at the end of a sweep.
std::string verdict_of(const Words& words) { return program::run(with({"sweep"}, words)).err; }

void check_no_suggestion(const Words& words) {
  const program::Result result = program::run(words);
  INFO(result.err);
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Contains("known: ") && !Contains("did you mean"));
}

}  // namespace

TEST_CASE("a name far from every known one gets no suggestion") {
  check_no_suggestion({"simulate", "--gpu", "Gaudi3"});
  check_no_suggestion({"version"});
  check_no_suggestion({"simulate", "--algorithm", "q"});
  check_no_suggestion({"simulate", "--typeface", "red"});
  check_no_suggestion({"sweep", "--over", "beauty=1"});
  check_refused({"simulate", "--gpu", "h201"}, {"did you mean \"h200\""});
}

TEST_CASE("an unknown GPU is refused with the hint that a file can describe it") {
  check_refused({"simulate", "--gpu", "p100"}, {"unknown GPU \"p100\"", "--gpu FILE.toml"});
}

TEST_CASE("every command and program prints the version and a hash of the sources for -V and --version") {
  const std::string version = good({"--version"}).out;
  CHECK_THAT(version, Catch::Matches(R"(flashscope \d+\.\d+\.\d+ \(simulator [0-9a-f]{16}\)\n)"));
  for (const std::string name : {"kernels", "explorer", "serve"}) {
    CHECK(program::shell(program::Folder(), "\"$flashscope-" + name + "\" -V").out == version);
  }
  for (const std::string command : {"simulate", "demo", "sweep", "verify", "screenshot"}) {
    CHECK(good({command, "-V"}).out == version);
    CHECK(good({command, "--version"}).out == version);
  }
  CHECK_THAT(good({"simulate", "--help"}).out, !Contains("--version"));
}

TEST_CASE("a pair for --window is FlashAttention's window_size, and what is none is refused") {
  CHECK(good({"simulate", "--window", "128,0", "--format", "json"}).out ==
        good({"simulate", "--window", "128", "--causal", "--format", "json"}).out);
  CHECK_THAT(program::run({"simulate", "--window", "x"}).err, !Contains("FlashAttention"));
}

TEST_CASE("a pattern whose share is too small for any block shows none, without a message about dropout") {
  for (const std::string share : {"0", "1e-17", "1e-300"}) {
    const program::Result result = program::run({"simulate", "--algorithm", "block-sparse", "--seqlen", "256",
                                                 "--pattern", "random:" + share, "--format", "json"});
    INFO(share << result.err);
    CHECK(result.exit_code == 0);
    CHECK(Json::parse(result.out).at("work").at("matmul_flops") == 0);
  }
}

TEST_CASE("a picture of a pattern may have its suffix in capitals, and so may a device") {
  const Folder folder;
  program::write_file(folder / "X.PBM", "P1\n2 2\n1 0\n1 1\n");
  program::write_file(folder / "G.TOML", program::read_file(FLASHSCOPE_SOURCE "/sim/machine/devices/toy.toml"));
  CHECK(program::run(folder, {"simulate", "--algorithm", "block-sparse", "--seqlen", "256", "--br", "128", "--bc",
                              "128", "--pattern", "X.PBM"})
            .exit_code == 0);
  CHECK(program::run(folder, {"simulate", "--gpu", "G.TOML", "--seqlen", "8", "--head-dim", "8"}).exit_code == 0);
}

TEST_CASE("the two numbers of a pattern stay together on an axis") {
  const Json rows = sweep({"--algorithm", "block-sparse", "--seqlen", "512", "--over",
                           "pattern=causal,local-global:1,2,window:4,local-global:0,1"});
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].at("pattern") == "local-global:1,2");
  CHECK(rows[3].at("pattern") == "local-global:0,1");
  CHECK(rows[2].at("error").is_null());
}

TEST_CASE("a sweep over splits=auto reports the number of splits chosen") {
  const Words words = {"--algorithm", "flash-decoding", "--seqlen-q", "1", "--seqlen-k", "16384", "--heads", "4"};
  const Json rows = sweep(with(words, {"--over", "splits=auto,3"}));
  const Json one = Json::parse(good(with({"simulate", "--format", "json"}, words)).out);
  CHECK(rows[0].at("splits") == one.at("scenario").at("splits"));
  CHECK(rows[0].at("splits") > 1);
  CHECK(rows[1].at("splits") == 3);
}

TEST_CASE("a formula off by one is not reported to agree exactly, however large the count is") {
  const Words words = {"--heads", "64", "--batch", "1024", "--over", "seqlen=65536", "--formula"};
  const double count = sweep({"--heads", "64", "--batch", "1024", "--over", "seqlen=65536"})[0]
                           .at("tile_traffic.total.read_bytes")
                           .get<double>();
  REQUIRE(count > 1e13);
  const Words against = {"--against", "tile_traffic.total.read_bytes"};
  const std::string digits = std::to_string(static_cast<std::int64_t>(count));
  CHECK_THAT(verdict_of(with(with(words, {digits}), against)), Contains("agrees exactly on the only point"));
  const std::string off = verdict_of(with(with(words, {digits + " + 1"}), against));
  CHECK_THAT(off, Contains("formula: agrees to ") && !Contains("exactly") && !Contains("factor"));
}

TEST_CASE("counts beyond 2^53 agree to the digits of a double") {
  const Words words = {"--heads", "64", "--batch", "256", "--over", "seqlen=65536", "--against", "work.matmul_flops"};
  const double count = sweep(Words(words.begin(), words.begin() + 6))[0].at("work.matmul_flops").get<double>();
  REQUIRE(count > 0x1p53);
  const std::string digits = std::to_string(static_cast<std::int64_t>(count));
  CHECK_THAT(verdict_of(with(words, {"--formula", digits})), Contains("agrees to all digits of a double"));
}

TEST_CASE("an invalid character in a formula is quoted as it was typed") {
  check_refused({"sweep", "--over", "seqlen=64", "--formula", "N\xC2\xB2"}, {"column 2, found \"\xC2\xB2\""});
}

TEST_CASE("the text of a lesson may begin with a byte order mark") {
  const std::string words = "# Title\n## a: A\nText.\n";
  const lessons::Words read = lessons::read_words("\xEF\xBB\xBF" + words, lessons::Language::en, "en.md");
  CHECK(read.title == "Title");
  CHECK(read.pages.size() == 1);
}

TEST_CASE("the help of tour has the number of its steps") {
  const std::size_t steps = lessons::built_in("00-tour").lesson.steps.size();
  CHECK_THAT(good({"tour", "--help"}).out, Contains(std::to_string(steps) + " steps from"));
  CHECK_THAT(good({"--help"}).out, Contains(std::to_string(steps) + " steps from"));
}

TEST_CASE("bench without GPU kernels names the nvcc that is installed") {
  const Folder folder;
  const std::string bench = "\"$flashscope\" bench --seqlen 64";
  const program::Result without = program::shell(folder, "CUDA_PATH= PATH=/usr/bin:/bin " + bench);
  if (without.err.find("has no CUDA kernels") == std::string::npos) return;  // a build with CUDA kernels
  program::fs::create_directory(folder / "tools");
  program::write_file(folder / "tools/nvcc", "");
  const program::Result with_nvcc = program::shell(folder, "PATH=\"$PWD/tools:$PATH\" " + bench);
  CHECK(with_nvcc.exit_code == 3);
  CHECK_THAT(with_nvcc.err,
             Contains("/tools/nvcc is here") && Contains("-DFLASHSCOPE_CUDA=ON") && !Contains("install"));
}
