// Makes every allocation, thread start and file call of a command fail once. The command must print a one-line error or
// do without the call, and each file must be the old one or the new one, complete.
#include <catch2/catch.hpp>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <sstream>

#include "tests/inject/scenario.h"
#include "tests/support/program.h"
#include "tests/support/random_scenario.h"

using inject::Kind;
using inject::Outcome;
using inject::Scenario;

namespace {

std::string source(const std::string& path) { return program::read_file(std::string(FLASHSCOPE_SOURCE "/") + path); }

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Returns a file that the program writes when run with this line.
std::string made(const std::string& line, const std::string& file) {
  const program::Folder folder;
  REQUIRE(program::run(folder, words(line)).exit_code == 0);
  return program::read_file(folder / file);
}

Scenario scenario(const std::string& line, const inject::Files& before = {}) {
  return {line, FLASHSCOPE_PROGRAM, words(line), before};
}

#ifdef FLASHSCOPE_KERNEL_PROGRAM
/// Commands that run kernels, on one thread, so that the n-th call is the same in each run.
std::vector<Scenario> kernel_scenarios() {
  const auto of_kernels = [](const std::string& line, const inject::Files& before, bool timed) {
    return Scenario{line, FLASHSCOPE_KERNEL_PROGRAM, words(line), before, timed};
  };
  return {of_kernels("verify --algorithm flash1 --seqlen 32 --head-dim 16 --workers 1", {}, false),
          of_kernels("verify --algorithm flash2 --seqlen 32 --head-dim 32 --workers 1 --format json", {}, false),
          of_kernels("bench --device emulated --seqlen 16 --head-dim 32 --runs 3 --seconds 0.001 --output r.csv",
                     {{"r.csv", ""}}, true)};
}
#endif

/// A lesson of one step, in its own folder.
inject::Files small_lesson() {
  return {{"l/21-mine/lesson.toml",
           "id = \"21-mine\"\nscenario = \"algorithm=flash2&seqlen=64\"\n[[step]]\nname = \"a\"\n"},
          {"l/21-mine/en.md", "# Mine\n\nAim.\n\n## a: A\n\nK has {tile_traffic.by_tensor.K}.\n"},
          {"l/21-mine/zh.md", "# 一课\n\n目标。\n\n## a: 一\n\nK {tile_traffic.by_tensor.K}。\n"}};
}

/// A valid notebook for a lesson without questions.
const std::string answers =
    R"({"schema": 1, "student": "", "lessons": [{"id": "21-mine", "version": 1, "step": "a", "answers": []}]})";

inject::Files with_lesson(inject::Files more) {
  more.merge(small_lesson());
  return more;
}

/// Commands on small shapes: a run takes milliseconds.
std::vector<Scenario> scenarios() {
  const std::string npy = made("simulate --seqlen 48 --output q.npy", "q.npy");
  const std::string toy = source("sim/machine/devices/toy.toml");
  return {
      scenario("devices"),
      scenario("algorithms"),
      scenario("counters"),
      scenario("simulate --seqlen 64 --format json"),
      scenario("simulate --seqlen 64 --why tile_traffic.total.read_bytes"),
      scenario("simulate --seqlen 48 --output o.npy", {{"o.npy", "old"}}),
      scenario("simulate --input-q q.npy --seqlen 48 --gpu g.toml --output-dir .",
               {{"q.npy", npy}, {"g.toml", toy}, {"O.npy", "old"}, {"L.npy", "old"}}),
      scenario("simulate --seqlen 48 --pass forward+backward --output-dir new/folder"),
      scenario("simulate --seqlen 64 --trace t.json", {{"t.json", "old"}}),
      scenario("simulate --seqlen 64 --trace t.pftrace"),
      scenario("simulate --seqlen 64 --trace t.txt"),
      scenario("compare --seqlen 64"),
      scenario("compare --seqlen 64 --output c.tex", {{"c.tex", "old"}}),
      scenario("compare --seqlen 64 --output c.svg"),
      scenario("sweep --over seqlen=64,128 --jobs 1"),
      scenario("sweep --over seqlen=64:128:16 --jobs 1 --output s.csv", {{"s.csv", "old"}}),
      scenario("sweep --over seqlen=64:144:16 --jobs 4 --format csv"),
      scenario("tune --seqlen 128 --head-dim 32"),
      scenario("demo --batch 1 --heads 1 --seqlen 64 --output-dir d"),
      scenario("simulate --seqlen 64 --output o.md", {{"o.md", "old"}}),
      scenario("lesson --list"),
      scenario("lesson 21 --lessons l", small_lesson()),
      scenario("lesson --lessons l --export d --key", with_lesson({{"d/21-mine.md", "old"}})),
      scenario("grade answers.json --lessons l", with_lesson({{"answers.json", answers}})),
  };
}

/// All numbers from 1 to `last`; if these are more than `most`, `most` of them drawn with a fixed seed.
std::vector<std::int64_t> numbers_to(std::int64_t last, std::int64_t most) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(std::min(last, most)));
  if (last <= most) {
    std::iota(numbers.begin(), numbers.end(), 1);
    return numbers;
  }
  sim::Dice dice(16);
  for (std::int64_t& number : numbers) number = dice.between(1, last);
  return numbers;
}

void check(const Scenario& scenario, std::int64_t most_allocations, std::int64_t most_others) {
  const Outcome good = inject::run(scenario, scenario.before, inject::memory, 0);
  INFO(scenario.name << ": " << good.err);
  REQUIRE(good.code == 0);
  for (const Kind kind : {inject::thread, inject::file, inject::memory}) {
    const auto numbers = numbers_to(good.calls[kind], kind == inject::memory ? most_allocations : most_others);
    std::printf("%s: %zu of %lld %ss\n", scenario.name.c_str(), numbers.size(),
                static_cast<long long>(good.calls[kind]), inject::kind_names[kind]);
    for (const std::string& wrong : inject::inject(scenario, good, kind, numbers)) FAIL_CHECK(wrong);
  }
}

constexpr std::int64_t all = 1'000'000'000;

}  // namespace

TEST_CASE("a command whose thread start or file call fails prints an error and leaves complete files") {
  for (const Scenario& each : scenarios()) {
    DYNAMIC_SECTION(each.name) { check(each, 50, all); }
  }
}

TEST_CASE("a command prints an error and leaves complete files whichever allocation fails", "[slow]") {
  for (const Scenario& each : scenarios()) {
    DYNAMIC_SECTION(each.name) { check(each, all, 0); }
  }
}

#ifdef FLASHSCOPE_KERNEL_PROGRAM
TEST_CASE("verify and bench print an error when a call fails") {
  for (const Scenario& each : kernel_scenarios()) {
    DYNAMIC_SECTION(each.name) { check(each, 50, 100); }
  }
}

TEST_CASE("verify and bench print an error for 2000 failing allocations", "[slow]") {
  for (const Scenario& each : kernel_scenarios()) {
    DYNAMIC_SECTION(each.name) { check(each, 2000, all); }
  }
}
#endif

#ifdef FLASHSCOPE_EXPLORER
TEST_CASE("when a file call fails while lessons and their pictures are exported, all files are old or new") {
  const inject::Files before = with_lesson({{"d/21-mine.md", "old"}, {"d/pictures/21-mine-a.png", "old"}});
  check(scenario("lesson --lessons l --export d", before), 0, all);  // its allocations are tested with screenshot
}

// ffmpeg, a child, has its calls counted and made to fail too: it may end without a word about a film that is torn.
TEST_CASE("a film is complete or the old one, whichever file call of the explorer or of ffmpeg fails", "[slow]") {
  if (!program::possible("command -v ffmpeg", "making a video (ffmpeg)")) return;
  for (const std::string name : {"a.gif", "a.mp4"}) {
    const std::string line = "screenshot " + name + " --size 640x480 --frames 4 --link play=run";
    DYNAMIC_SECTION(line) { check({line, FLASHSCOPE_EXPLORER, words(line), {{name, "old"}}}, 0, 30); }
  }
}
#endif

TEST_CASE("validate prints an error for 500 failing allocations", "[slow]") { check(scenario("validate"), 500, all); }

#ifdef FLASHSCOPE_EXPLORER
TEST_CASE("screenshot leaves a complete picture or no file for 500 failing calls", "[slow]") {
  check({"screenshot", FLASHSCOPE_EXPLORER, words("screenshot p.png"), {{"p.png", "old"}}}, 400, 100);
}
#endif
