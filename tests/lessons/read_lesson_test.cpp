// lesson.toml: every error has its file and line.
#include <catch2/catch.hpp>

#include "lessons/lesson.h"
#include "tests/lessons/example.h"

using Catch::Contains;
using Catch::StartsWith;

namespace {

std::string error_of(const std::string& toml) {
  return example::error_of([&] { lessons::read_lesson(toml, "50-example/lesson.toml"); });
}

/// Returns the error for the example with `from` replaced by `to`.
std::string error_with(const std::string& from, const std::string& to) {
  return error_of(example::with(example::toml, from, to));
}

int line_of(const std::string& text) {
  const std::size_t at = example::toml.find(text);
  return 1 + static_cast<int>(std::count(example::toml.begin(), example::toml.begin() + static_cast<long>(at), '\n'));
}

/// Returns the prefix "50-example/lesson.toml:12: " for the position of a text in the example.
std::string at(const std::string& text) { return sim::text("50-example/lesson.toml:", line_of(text), ": "); }

std::string steps(int count) {
  std::string toml = "id = \"50-example\"\n";
  for (int n = 0; n < count; ++n) toml += sim::text("[[step]]\nname = \"s", n, "\"\n");
  return toml;
}

}  // namespace

TEST_CASE("a lesson is read with all of its keys") {
  const lessons::Lesson lesson = lessons::read_lesson(example::toml, "lesson.toml");
  CHECK(lesson.id == "50-example");
  CHECK(lesson.number() == "50");
  CHECK(lesson.version == 3);
  CHECK(lesson.minutes == 5);
  CHECK(lesson.needs == std::vector<std::string>{"00-tour"});
  CHECK(lesson.introduces == std::vector<std::string>{"row block"});
  CHECK(lesson.sources == std::vector<std::string>{"a paper, section 4.3"});
  REQUIRE(lesson.others.size() == 1);
  CHECK(lesson.others[0].name == "wide");
  REQUIRE(lesson.steps.size() == 3);
  const lessons::Step &count = lesson.steps[0], &lines = lesson.steps[1], &make = lesson.steps[2];
  CHECK(count.point == "counters");
  CHECK(lines.point == "matrix");
  CHECK(lines.myth == "a page, section 3.1.3");
  REQUIRE(lines.at.has_value());
  CHECK(lines.at->line == "m' = max(m, m~)");
  CHECK(lines.at->cta == "0,0,0,0");
  CHECK(lines.at->i == 1);
  CHECK_FALSE(lines.at->begin);
  REQUIRE(count.questions.size() == 2);
  CHECK(count.questions[0].retrieval);
  CHECK(count.questions[0].wrong[1].why == "once");
  CHECK(count.questions[1].choices[1].name == "narrow");
  CHECK(make.questions[0].over == std::vector<std::string>{"seqlen=96", "bc=32"});
  CHECK(make.questions[1].kind == lessons::QuestionKind::until);  // goals follow the other questions
  CHECK(make.questions[1].change == std::vector<std::string>{"br", "bc"});
  CHECK(count.line == line_of("name = \"count\"") - 1);
}

TEST_CASE("an unknown key is refused with its line and the nearest one") {
  CHECK_THAT(error_with("minutes = 5", "minuets = 5"),
             StartsWith(at("minutes")) && Contains("key of a lesson") && Contains("did you mean \"minutes\""));
  CHECK_THAT(error_with("point = \"counters\"", "pint = \"counters\""),
             StartsWith(at("point = \"c")) && Contains("key of a step") && Contains("did you mean \"point\""));
  CHECK_THAT(error_with("retrieval = true", "retreival = true"),
             StartsWith(at("retrieval")) && Contains("key of a question") && Contains("did you mean \"retrieval\""));
  CHECK_THAT(error_with("why = \"reads\"", "because = \"reads\""),
             StartsWith(at("why = \"reads")) && Contains("why is missing"));
  CHECK_THAT(error_with("why = \"reads\"", "why = \"reads\", x = \"y\""),
             StartsWith(at("why = \"reads")) && Contains("key of a wrong answer"));
  CHECK_THAT(error_with("i = 1, j = 0", "i = 1, k = 0"), StartsWith(at("at = {")) && Contains("unknown key of a at"));
  CHECK_THAT(error_with("until =", "unitl ="), Contains("until is missing"));
}

TEST_CASE("a value of another type is refused with its line") {
  CHECK_THAT(error_with("minutes = 5", "minutes = \"5\""),
             StartsWith("50-example/lesson.toml:3: minutes must be a whole number"));
  CHECK_THAT(error_with("minutes = 5", "minutes = -5"), Contains("minutes must be a whole number"));
  CHECK_THAT(error_with("needs = [\"00-tour\"]", "needs = \"00-tour\""),
             StartsWith(at("needs")) && Contains("must be a list"));
  CHECK_THAT(error_with("needs = [\"00-tour\"]", "needs = [7]"),
             StartsWith(at("needs")) && Contains("must be text in quotes"));
  CHECK_THAT(error_with("others = { wide = \"bc=32\" }", "others = \"wide\""),
             StartsWith(at("others")) && Contains("must be a table"));
  CHECK_THAT(error_with("retrieval = true", "retrieval = 1"), StartsWith(at("retrieval")) && Contains("true or false"));
  CHECK_THAT(error_with("wrong = [{ when = \"0, 1\", why = \"rows\" }]", "wrong = [\"0, 1\"]"),
             Contains("must be a list of tables"));
  CHECK_THAT(error_with("i = 1, j = 0", "i = \"1\", j = 0"),
             StartsWith(at("at = {")) && Contains("i must be a whole number"));
  CHECK_THAT(error_with("i = 1, j = 0", "edge = \"middle\""),
             StartsWith(at("at = {")) && Contains("edge is begin or end"));
  CHECK_THAT(error_with("kind = \"tile\"", "kind = \"title\""),
             Contains("unknown kind of question") && Contains("did you mean \"tile\""));
  CHECK_THAT(error_with("kind = \"tile\"", "kind = \"tile\"\ntolerance = \"1\""),
             Contains("tolerance \"1\" is not a percentage"));
  CHECK_THAT(error_with("kind = \"tile\"", "kind = \"tile\"\ntolerance = \"nan %\""), Contains("is not a percentage"));
  CHECK_THAT(error_with("kind = \"tile\"", "kind = \"tile\"\ntolerance = \"-1 %\""), Contains("is not a percentage"));
}

TEST_CASE("questions have two tries, unless the lesson or the question sets another number") {
  CHECK(lessons::read_lesson(example::toml, "lesson.toml").steps[0].questions[0].tries == 2);
  const lessons::Lesson lesson =
      lessons::read_lesson(example::with(example::toml, "version = 3\n", "version = 3\ntries = 3\n"), "lesson.toml");
  CHECK(lesson.steps[0].questions[0].tries == 3);
  CHECK_THAT(error_with("text = \"written\"\n", "text = \"written\"\ntries = 0\n"),
             Contains("tries is a whole number from 1 to 9"));
}

TEST_CASE("a missing required key is an error") {
  CHECK_THAT(error_with("id = \"50-example\"\n", ""), Contains("id is missing: add id = \"...\""));
  CHECK_THAT(error_with("name = \"count\"\n", ""),
             StartsWith(at("name = \"count").substr(0, 23)) && Contains("step: name is missing"));
  CHECK_THAT(error_with("text = \"written\"\n", ""), Contains("question: text is missing"));
  CHECK_THAT(error_with("answer = \"tile_traffic.by_tensor.Q\"\n", ""), Contains("question: answer is missing"));
  CHECK_THAT(error_with("solution = \"Tc * N * d * e * h * b\"\n", ""), Contains("question: solution is missing"));
  CHECK_THAT(error_with("solution = \"bc=32\"\n", ""), Contains("goal: solution is missing"));
  CHECK_THAT(error_with("change = [\"br\", \"bc\"]\n", ""), Contains("goal: change is missing"));
  CHECK_THAT(error_with("  { name = \"narrow\", when = \"wide tile_traffic.total > tile_traffic.total\" },\n", ""),
             Contains("a choice needs at least two choices"));
  CHECK_THAT(error_with("lines = [" + example::lines + "]", "lines = [\"x\"]"),
             Contains("an order needs at least two lines"));
  CHECK_THAT(error_of("id = \"x\"\n"), Contains("no steps: add [[step]]"));
  CHECK_THAT(error_with("text = \"next\"", "text = \"\""), Contains("text must not be empty"));
}

TEST_CASE("duplicate names of steps or questions are rejected") {
  CHECK_THAT(error_with("name = \"lines\"", "name = \"count\""), Contains("step \"count\" is given twice"));
  CHECK_THAT(error_with("text = \"fewer\"", "text = \"written\""),
             Contains("question \"written\" is given twice in its step"));
  CHECK_THAT(error_with("text = \"golf\"", "text = \"formula\""),
             Contains("question \"formula\" is given twice in its step"));
  CHECK(error_with("text = \"next\"", "text = \"written\"").empty());  // in another step
}

TEST_CASE("a lesson has at most 40 steps, 20 questions a step and 256 KiB") {
  CHECK(error_of(steps(40)).empty());
  CHECK_THAT(error_of(steps(41)), Contains("lesson.toml: more than 40 steps"));
  std::string many = steps(1);
  for (int n = 0; n < 21; ++n)
    many += sim::text("[[step.question]]\ntext = \"q", n, "\"\nkind = \"number\"\nanswer = \"1\"\n");
  CHECK_THAT(error_of(many), Contains("more than 20 questions"));
  CHECK_THAT(error_of(example::toml + "#" + std::string(256 * 1024, 'x')), Contains("bytes, a lesson at most 262144"));
  CHECK_THAT(error_with("a paper, section 4.3", std::string(2001, 'x')), Contains("one line of at most 2000 bytes"));
}

TEST_CASE("malformed TOML gives an error with its line") {
  CHECK_THAT(error_of("[.a]\n"), StartsWith("50-example/lesson.toml:1: ") && Contains("[[step]], [step.names]"));
  CHECK_THAT(error_of("id = \"x\"\n[step]\n"), StartsWith("50-example/lesson.toml:2: "));
  CHECK_THAT(error_of("[[step.question]]\n"), Contains("lesson.toml"));
  CHECK_THAT(error_of("[[step]]\n[[step.goal]]\n[[step]]\nstep = 1\n"), Contains("lesson.toml"));
  CHECK_THAT(error_of("a = 1979-02-27Tb7\n"), Contains("50-example/lesson.toml"));
  CHECK_THAT(error_of("id = \"x\nname"), Contains("50-example/lesson.toml:1:") && Contains("not TOML"));
  CHECK_THAT(error_of("id = \"a\\u0007b\"\n"), Contains("id must be one line"));
  CHECK_THAT(error_of("id = \"\"\"x\"\"\"\n"), Contains("one quote on each side"));
  CHECK_THAT(error_of(std::string("id = \"a\0b\"\n", 11)), !Catch::Equals(""));
  CHECK_THAT(error_of("id = \"\xff\xfe\"\n"), !Catch::Equals(""));
  CHECK_THAT(error_of(std::string(100'000, '[')), !Catch::Equals(""));
  CHECK_THAT(error_of("a = " + std::string(5000, '[') + "\n"), !Catch::Equals(""));
  CHECK_THAT(error_of("a" + std::string(20'000, '.') + "b = 1\n"), !Catch::Equals(""));
  CHECK_THAT(error_of(""), !Catch::Equals(""));
  for (const std::string& text :
       {std::string("[.a]\n"), std::string("id = \"\x1b[31m\"\n"), std::string("\x1b]0;x\x07 = 1\n")})
    CHECK(sim::printable(error_of(text)) == error_of(text));
}
