// What is found in words without a run: bare numbers, lengths, formulas; and what is said of times.
#include <catch2/catch.hpp>

#include "tests/lessons/example.h"

using Catch::Contains;
using lessons::bare_number;

TEST_CASE("a bare number is one that no formula makes") {
  CHECK(bare_number("moves 34 bytes") == "34");
  CHECK(bare_number("37.9 waves") == "37.9");
  CHECK(bare_number("about 4 GB") == "4");
  CHECK(bare_number("写了 16 遍") == "16");
  CHECK(bare_number("写了16遍") == "16");
  CHECK(bare_number("(64)") == "64");
  CHECK(bare_number("N = 64") == "64");
  CHECK(bare_number("{scenario.br} rows of 64") == "64");
  CHECK(bare_number("2 % of it") == "2");
  CHECK(bare_number("1,024 keys") != "");
  CHECK(bare_number("ends with 7") == "7");
}

TEST_CASE("years, names, scripts and blocks 0 and 1 are no bare numbers") {
  for (const std::string text : {"FlashAttention-2",
                                 "FlashAttention-2, T4 and H100",
                                 "K_0 and Q_12",
                                 "x^{2} and x^2",
                                 "e^{-2}",
                                 "S_{12}",
                                 "in 2022 and 1999",
                                 "block 0, then 1",
                                 "fp16, bf16 and L2",
                                 "GPT-2",
                                 "B200",
                                 "{64 * 2 | number} bytes",
                                 "{tile_traffic.by_tensor.O.write_bytes}",
                                 "sm_90",
                                 "no number",
                                 "",
                                 "2D",
                                 "FlashAttention-2 的 T4",
                                 "K_0、V_0",
                                 "1 / 2x"}) {
    INFO(text);
    CHECK(bare_number(text).empty());
  }
}

TEST_CASE("words are counted, a Chinese character as half of one and a formula as one") {
  CHECK(lessons::words_in("") == 0);
  CHECK(lessons::words_in("one two three") == 3);
  CHECK(lessons::words_in("row-wise softmax, done.") == 3);
  CHECK(lessons::words_in("把结果写回") == 3);  // five halves
  CHECK(lessons::words_in("moves {tile_traffic.total / 2 | bytes} twice") == 3);
  CHECK(lessons::words_in("K 经过两遍") == 3);
}

TEST_CASE("formulas are what stands in braces, scripts left out") {
  CHECK(lessons::formulas_in("a {b} c_{ij} {d | e} x^{-2}") == std::vector<std::string>{"b", "d | e"});
  CHECK(lessons::formulas_in("{open").empty());
  CHECK(lessons::formulas_in("").empty());
}

namespace {

/// What is found of a claim about time in a lesson of one step, on a device on which times were compared or not.
std::vector<std::string> about_time(const std::string& claim, const std::string& gpu) {
  const std::string words = "# Times\n\n## one: One\n\nwords\n";
  return example::findings({"id = \"50-example\"\nscenario = \"batch=4&heads=16&seqlen=4096&head-dim=128&gpu=" + gpu +
                                "\"\nothers = { longer = \"seqlen=8192\", near = \"seqlen=4224\" }\n[[step]]\nname = "
                                "\"one\"\nclaims = [\"" +
                                claim + "\"]\n",
                            words, words});
}

}  // namespace

TEST_CASE("of times only an order may be said, or more than twice the error of predictions") {
  CHECK(about_time("time.microseconds < longer time.microseconds", "h100-sxm").empty());
  CHECK(about_time("longer time.microseconds > 2 * time.microseconds", "h100-sxm").empty());
  CHECK(about_time("near time.microseconds > time.microseconds", "h100-sxm").empty());
  const auto narrow = about_time("near time.microseconds > 1.01 * time.microseconds", "h100-sxm");
  REQUIRE(narrow.size() == 1);
  CHECK_THAT(narrow[0], Contains("is less than twice the error of"));
  CHECK(about_time("time.microseconds = time.microseconds", "h100-sxm").size() == 1);
  CHECK(about_time("longer time.microseconds within 500 % of time.microseconds", "h100-sxm").size() == 1);
  const auto unknown = about_time("longer time.microseconds > 2 * time.microseconds", "t4");
  REQUIRE(unknown.size() == 1);
  CHECK_THAT(unknown[0], Catch::StartsWith("50-example/lesson.toml:4: the error of this time is unknown"));
  CHECK(about_time("longer time.kernels.0.microseconds > time.microseconds", "t4").empty());  // 0 is an index
}
