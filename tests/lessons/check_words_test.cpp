// Checks of texts without a run: bare numbers, lengths, formulas; and of claims and questions about times.
#include <catch2/catch.hpp>

#include "lessons/options_text.h"
#include "tests/lessons/example.h"

using Catch::Contains;
using lessons::bare_number;

TEST_CASE("a number outside of formulas is a bare number") {
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

TEST_CASE("years, names, scripts and the blocks 0 and 1 are not bare numbers") {
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

TEST_CASE("a Chinese character counts as half a word, a formula as one") {
  CHECK(lessons::words_in("") == 0);
  CHECK(lessons::words_in("one two three") == 3);
  CHECK(lessons::words_in("row-wise softmax, done.") == 3);
  CHECK(lessons::words_in("把结果写回") == 3);  // five halves
  CHECK(lessons::words_in("moves {tile_traffic.total / 2 | bytes} twice") == 3);
  CHECK(lessons::words_in("K 经过两遍") == 3);
}

TEST_CASE("text in braces is a formula, except in scripts") {
  CHECK(lessons::formulas_in("a {b} c_{ij} {d | e} x^{-2}") == std::vector<std::string>{"b", "d | e"});
  CHECK(lessons::formulas_in("{open").empty());
  CHECK(lessons::formulas_in("").empty());
}

namespace {

/// Runs whose time has a known error of about 10 %, and one on a GPU without measurements.
lessons::Facts timed() {
  lessons::Facts facts;
  for (const auto& [name, options] : {std::pair("", "seqlen=4096"), std::pair("long", "seqlen=8192"),
                                      std::pair("near", "seqlen=4160"), std::pair("toy", "gpu=toy")}) {
    const auto all = lessons::changed(lessons::read_options("batch=4&heads=16"), lessons::read_options(options));
    facts.add(name, sim::simulate(sim::scenario_from(all, sim::built_in_gpu)));
  }
  return facts;
}

/// Returns the first finding about an example with its lesson.toml changed.
std::string first_finding(const std::string& from, const std::string& to) {
  const std::vector<std::string> all = example::findings({example::with(example::toml, from, to)});
  return all.empty() ? "" : all.front();
}

/// A choice between a condition and a clearly false one.
lessons::Question choice(const std::string& condition) {
  lessons::Question question;
  question.kind = lessons::QuestionKind::choice;
  question.choices = {{"one", condition}, {"other", "time.microseconds > 9 * time.microseconds"}};
  return question;
}

}  // namespace

TEST_CASE("an empty value unsets an option, in changes alone") {
  const sim::OptionValues options = lessons::read_options("window=8&seqlen=64");
  CHECK(lessons::text_of(lessons::changed(options, lessons::read_changes("window=&br=16"))) == "br=16&seqlen=64");
  CHECK(lessons::changed(options, lessons::read_changes("bc=")) == options);
  CHECK(lessons::text_of(lessons::read_changes("window=")) == "window=");
  CHECK_THROWS_AS(lessons::read_options("window="), sim::Error);
  const std::string unset = R"(others = { wide = "bc=32", own = "br=&bc=" })";
  CHECK_THAT(first_finding(R"(others = { wide = "bc=32" })", unset), Catch::Equals(""));
  const example::Ready ready("count", {example::with(example::toml, R"(others = { wide = "bc=32" })", unset)});
  CHECK(ready.scene.facts().value("scenario.br") == 16);
  CHECK(ready.scene.facts().value("own scenario.br") > 16);
}

TEST_CASE("a claim about predicted time is an order, or holds with a margin of twice the error") {
  const lessons::Facts facts = timed();
  for (const char* const good :
       {"toy time.microseconds > time.microseconds", "long time.microseconds > 2 * time.microseconds",
        "time.microseconds < long time.microseconds", "toy hbm_traffic < 1000000000", "toy time.kernels.0.waves > 1"}) {
    INFO(good);
    CHECK(lessons::time_claimed(good, facts).empty());
  }
  CHECK_THAT(lessons::time_claimed("toy time.microseconds > 2 * time.microseconds", facts), Contains("is unknown"));
  CHECK_THAT(lessons::time_claimed("time.microseconds < near time.microseconds", facts), Contains("less than twice"));
  CHECK_THAT(lessons::time_claimed("near time.microseconds < 1.1 * time.microseconds", facts),
             Contains("less than twice"));
  CHECK_THAT(lessons::time_claimed("time.microseconds = time.microseconds", facts), Contains("taken for exact"));
  CHECK_THAT(
      first_finding("\"tile_traffic.by_tensor.K = tile_traffic.by_tensor.V\"", "\"time.microseconds > 1.5 * 1\""),
      Contains("only its order can be claimed"));
}

TEST_CASE("a question may depend on a time only if its known error is at most half the margin") {
  const lessons::Facts facts = timed();
  CHECK(lessons::time_asked(choice("time.microseconds < long time.microseconds"), facts).empty());
  CHECK(lessons::time_asked(choice("long time.microseconds within 60 % of time.microseconds"), facts).empty());
  for (const char* const unknown :
       {"toy time.microseconds > time.microseconds", "toy time.budget.bandwidth > toy time.budget.tensor",
        "time.microseconds < max(toy time.kernels.0.microseconds, 1)"}) {
    INFO(unknown);
    CHECK_THAT(lessons::time_asked(choice(unknown), facts), Contains("is unknown") && Contains("ask for bytes"));
  }
  CHECK_THAT(lessons::time_asked(choice("time.microseconds < near time.microseconds"), facts),
             Contains("less than twice"));
  CHECK_THAT(lessons::time_asked(choice("near time.microseconds within 10 % of time.microseconds"), facts),
             Contains("less than twice"));
  lessons::Question number;
  number.answer = "time.microseconds";
  number.tolerance = 0.25;
  CHECK(lessons::time_asked(number, facts).empty());
  number.tolerance = 0.1;
  CHECK_THAT(lessons::time_asked(number, facts), Contains("half of the tolerance"));
  lessons::Question goal;
  goal.until = "toy time.microseconds < 5";
  CHECK_THAT(lessons::time_asked(goal, facts), Contains("is unknown"));
  CHECK_THAT(first_finding("wide tile_traffic.total > tile_traffic.total", "wide time.microseconds > 1000"),
             Contains("lesson.toml:") && Contains("question fewer: "));
}
