// Launches of a profile, written as letters: those of one pass, its repetitions, and those left out.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "kernels/profile/passes.h"

using profile::Launch;

namespace {

/// "ABAB": launches of two kernels. `names` replaces a letter.
std::vector<Launch> launches_of(const std::string& letters, const std::map<char, std::string>& names = {}) {
  std::vector<Launch> launches;
  for (const char letter : letters) {
    const auto name = names.find(letter);
    Launch launch{
        std::to_string(launches.size()), name == names.end() ? std::string(1, letter) : name->second, "", 2, {}};
    launch.grid = "(8, 1, 1)";
    launches.push_back(launch);
  }
  return launches;
}

/// "AB|AB -A": passes, then the launches left out, as letters of their IDs.
std::string passes_of(const std::string& letters, std::size_t kernels, const std::map<char, std::string>& names = {}) {
  const std::vector<Launch> launches = launches_of(letters, names);
  std::vector<const Launch*> pointers;
  for (const Launch& launch : launches) pointers.push_back(&launch);
  const profile::Passes passes = profile::find_passes(pointers, kernels);
  const auto letter = [&](const Launch* launch) { return letters[static_cast<std::size_t>(launch - launches.data())]; };
  std::string text;
  for (const auto& pass : passes.passes) {
    if (!text.empty()) text += '|';
    for (const Launch* launch : pass) text += letter(launch);
  }
  if (!passes.left_out.empty()) text += " -";
  for (const Launch* launch : passes.left_out) text += letter(launch);
  return text;
}

}  // namespace

TEST_CASE("launches of one kernel are repetitions of it") {
  CHECK(passes_of("A", 1) == "A");
  CHECK(passes_of("AAA", 1) == "A|A|A");
  CHECK(passes_of("AAA", 3) == "A|A|A");
}

TEST_CASE("a repeated sequence of launches is a pass, whose launches stay together") {
  CHECK(passes_of("ABC", 3) == "ABC");
  CHECK(passes_of("ABC", 1) == "ABC");
  CHECK(passes_of("ABCABC", 3) == "ABC|ABC");
  CHECK(passes_of("ABAB", 1) == "AB|AB");
  CHECK(passes_of("AABAAB", 3) == "AAB|AAB");
  CHECK(passes_of("AAABBB", 2) == "AB|AB|AB");
}

TEST_CASE("launches that fit no repetition are left out") {
  CHECK(passes_of("WAAA", 1) == "A|A|A -W");
  CHECK(passes_of("AAWA", 1) == "A|A|A -W");
  CHECK(passes_of("WABCABC", 3) == "ABC|ABC -W");
  CHECK(passes_of("ABCWABC", 3) == "ABC|ABC -W");
  CHECK(passes_of("ABCAB", 3) == "ABC -AB");
  CHECK(passes_of("ABABA", 2) == "AB|AB -A");
  CHECK(passes_of("ABA", 1) == "A|A -B");
  CHECK(passes_of("ABA", 2) == "AB -A");
  CHECK(passes_of("MAMBMC", 3) == "ABC -MMM");
}

TEST_CASE("a kernel named attention is preferred to fills of its inputs") {
  const std::map<char, std::string> names = {{'F', "flash_fwd_kernel"}, {'R', "at::native::distribution"}};
  CHECK(passes_of("RRRF", 1, names) == "F -RRR");
  CHECK(passes_of("RRRFF", 1, names) == "F|F -RRR");
  CHECK(passes_of("RFRF", 1, names) == "RF|RF");
}

TEST_CASE("launches of one name with different grids or blocks are different kernels") {
  std::vector<Launch> launches = launches_of("AAAA");
  launches[0].grid = "(4, 1, 1)";
  launches[1].block = "(64, 1, 1)";
  const std::vector<const Launch*> pointers = {&launches[0], &launches[1], &launches[2], &launches[3]};
  const profile::Passes passes = profile::find_passes(pointers, 1);
  CHECK(passes.passes.size() == 2);
  CHECK(passes.left_out == std::vector<const Launch*>{&launches[0], &launches[1]});
}

TEST_CASE("every launch of a drawn sequence is in one pass or left out, and all passes have the same kernels") {
  std::mt19937_64 random(3);
  for (int n = 0; n < 3000; ++n) {
    std::string letters(1 + random() % 12, 'A');
    for (char& letter : letters) letter = static_cast<char>('A' + random() % 4);
    const std::size_t kernels = 1 + random() % 3;
    INFO(letters << " beside " << kernels);
    const std::string text = passes_of(letters, kernels);
    std::string sorted = text, expected = letters;
    for (const char mark : {'|', ' ', '-'}) sorted.erase(std::remove(sorted.begin(), sorted.end(), mark), sorted.end());
    std::sort(sorted.begin(), sorted.end());
    std::sort(expected.begin(), expected.end());
    CHECK(sorted == expected);
    const std::string passes = text.substr(0, text.find(' ')), first = passes.substr(0, passes.find('|'));
    for (std::size_t at = 0; at < passes.size(); at += first.size() + 1)
      CHECK(passes.substr(at, first.size()) == first);
  }
}

TEST_CASE("a pass that is drawn and repeated is found again, with a warm-up before it or not") {
  std::mt19937_64 random(5);
  for (int n = 0; n < 500; ++n) {
    const std::size_t kernels = 1 + random() % 5, times = 2 + random() % 6;
    std::string pass = std::string("ABCDE").substr(0, kernels), letters, expected;
    std::rotate(pass.begin(), pass.begin() + static_cast<std::ptrdiff_t>(random() % kernels), pass.end());
    for (std::size_t time = 0; time < times; ++time) {
      letters += pass;
      expected += (time == 0 ? "" : "|") + pass;
    }
    CHECK(passes_of(letters, kernels) == expected);
    CHECK(passes_of("W" + letters, kernels) == expected + " -W");
  }
}
