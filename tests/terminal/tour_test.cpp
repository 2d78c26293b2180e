// flashscope tour: the explorer's steps, numbers and links in the terminal.
#include <catch2/catch.hpp>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.h"

using Catch::Contains;

namespace {

std::string tour(std::vector<std::string> words) {
  words.insert(words.begin(), "tour");
  const program::Result result = program::run(words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.empty());
  return result.out;
}

}  // namespace

TEST_CASE("tour prints its steps with a link for each") {
  for (const std::string language : {"en", "zh"}) {
    const std::string text = tour({"--lang", language});
    std::size_t links = 0;
    for (std::size_t at = text.find("flashscope explore --link"); at != std::string::npos; ++links)
      at = text.find("flashscope explore --link", at + 1);
    CHECK(links == 24);
    CHECK_THAT(text, Contains("overlay=tour&tour-step=24"));
    CHECK(text.find('{') == std::string::npos);
  }
}

TEST_CASE("the numbers of tour equal those of simulate") {
  const program::Result simulated = program::run(
      {"simulate", "--algorithm", "standard", "--batch", "4", "--heads", "32", "--seqlen", "2048", "--format", "json"});
  const auto json = nlohmann::json::parse(simulated.out);
  const double gigabytes =
      (json["hbm_traffic"]["read_bytes"].get<double>() + json["hbm_traffic"]["write_bytes"].get<double>()) / 1e9;
  std::ostringstream expected;
  expected << std::fixed << std::setprecision(2) << gigabytes << " GB of HBM traffic";
  const std::string text = tour({"--step", "3"});
  CHECK_THAT(text, Contains(expected.str()));
  CHECK_THAT(text, Contains("step 3 of 24"));
  CHECK(text.find("step 4 of 24") == std::string::npos);
}

TEST_CASE("the printed tour explains a step after its questions and their answers") {
  const std::string text = tour({"--step", "3"});
  const std::size_t asked = text.find("? Predict: The softmax writes P"),
                    answered = text.find("\n= the run counted: 4\n"), told = text.find("That makes");
  CHECK((asked < answered && answered < told && told != std::string::npos));
}

TEST_CASE("tour wraps its text to 100 columns and lists its titles") {
  std::istringstream lines(tour({}));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("--link") != std::string::npos) continue;
    const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    CHECK(columns <= 100);
  }
  const std::string list = tour({"--list"});
  CHECK(std::count(list.begin(), list.end(), '\n') == 24);
  CHECK_THAT(list, Contains(" 1  Every query looks at every key\n"));
  CHECK_THAT(tour({"--list", "--lang", "zh"}), Contains("10  "));
}

TEST_CASE("tour refuses steps and languages that it does not have") {
  program::check_refused({"tour", "--step", "25"}, {"step", "\"25\"", "1 to 24"});
  program::check_refused({"tour", "--lang", "fr"}, {"lang", "\"fr\""});
}
