// Names of formulas: read from lesson.toml, replaced in all formulas, and their errors.
#include "lessons/names.h"

#include "tests/lessons/example.h"

using Catch::Contains;
using lessons::Language;

namespace {

const std::string before_steps = "others = { wide = \"bc=32\" }\n";
const std::string three = R"toml([names]
Tc = "ceil(scenario.seqlen / scenario.bc)"
written = "tile_traffic.by_tensor.O.write_bytes"
both = "Tc + wide Tc"
)toml";

/// The example with names, and with `claims` in its first step.
example::Files with_names(const std::string& names, const std::string& claims) {
  example::Files files;
  files.toml = example::with(files.toml, before_steps, before_steps + names);
  const std::string claim = "claims = [\"tile_traffic.by_tensor.O.write_bytes = 5 * tile_traffic.by_tensor.V\"]";
  files.toml = example::with(files.toml, claim, "claims = [" + claims + "]");
  return files;
}

std::string error_with(const std::string& names) {
  return example::error_of([&] { example::written(with_names(names, "\"1 = 1\"")); });
}

/// Returns a formula of the example's first step with the names above replaced.
std::string plain(const std::string& formula) {
  lessons::WrittenLesson written = example::written(with_names(three, "\"1 = 1\""));
  return lessons::expanded(written.lesson, written.lesson.steps[0], formula);
}

}  // namespace

TEST_CASE("a name stands for its formula") {
  CHECK(plain("Tc") == "ceil(scenario.seqlen / scenario.bc)");
  CHECK(plain("2 * Tc + Tc2") == "2 * ceil(scenario.seqlen / scenario.bc) + Tc2");
  CHECK(plain("2 * both") ==
        "2 * (ceil(scenario.seqlen / scenario.bc) + ceil(wide scenario.seqlen / wide scenario.bc))");
  CHECK(plain("both | number") ==
        "ceil(scenario.seqlen / scenario.bc) + ceil(wide scenario.seqlen / wide scenario.bc) | number");
  CHECK(plain("2 | Tc") == "2 | Tc");  // a unit
  CHECK(plain("Tc(1)") == "Tc(1)");
  CHECK(plain("scenario.Tc - head-Tc") == "scenario.Tc - head-Tc");
}

TEST_CASE("a run before a name is that of all of its paths, except where the name has its own") {
  CHECK(plain("wide written / written") ==
        "wide tile_traffic.by_tensor.O.write_bytes / tile_traffic.by_tensor.O.write_bytes");
  CHECK(plain("wide both") ==
        "ceil(wide scenario.seqlen / wide scenario.bc) + ceil(wide scenario.seqlen / wide scenario.bc)");
  CHECK(plain("wide tile_traffic.total - Tc") == "wide tile_traffic.total - ceil(scenario.seqlen / scenario.bc)");
}

TEST_CASE("names work in claims, in questions and in texts") {
  example::Files files = with_names(three + "left = \"written - 4 * tile_traffic.by_tensor.V\"\n",
                                    "\"Tc = 4\", \"wide Tc = 2\", \"both within 1 % of 6\", \"left > 0\"");
  files.toml = example::with(files.toml, "answer = \"tile_traffic.by_tensor.O.write_bytes\"", "answer = \"written\"");
  files.toml = example::with(files.toml, "wide tile_traffic.total < tile_traffic.total", "wide written < written");
  files.toml = example::with(files.toml, "until = \"tile_traffic.total < 800000\"", "until = \"all < 800000\"");
  files.toml = example::with(files.toml, "score = \"tile_traffic.total\"", "score = \"all\"\npar = \"wide all\"");
  files.toml =
      example::with(files.toml, "name = \"make\"", "name = \"make\"\nnames = { all = \"tile_traffic.total\" }");
  for (std::string* text : {&files.en, &files.zh})
    *text = example::with(*text, "{scenario.br}", "{scenario.br}, {Tc}, {wide Tc | number}, {written}, x_{Tc}");
  CHECK(example::findings(files) == std::vector<std::string>());
  const example::Ready ready("count", files);
  const std::string text = lessons::filled(ready.lesson.en.pages[0], ready.scene.facts()).blocks[0].text;
  CHECK_THAT(text, Contains("16, 4, 2, 307.2") && Contains("x_{Tc}"));
  CHECK(ready.mark("written", "307200").right);
  CHECK(ready.lesson.lesson.steps[2].questions[1].par == "wide tile_traffic.total");
}

TEST_CASE("a name that nothing uses is a finding with its line") {
  const std::string unused = "[names]\nTc = \"scenario.seqlen / scenario.bc\"\nTr = \"Tc\"\n";
  const std::vector<std::string> found = example::findings(with_names(unused, "\"Tc = 4\""));
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Contains("lesson.toml:11: name Tr is not used"));
}

TEST_CASE("a wrong name is an error with its line") {
  const auto [names, error] = GENERATE(
      std::pair("[names]\nT-c = \"1\"", "toml:10: name \"T-c\" must begin with a letter"),
      std::pair("[names]\n4c = \"1\"", "must begin with a letter"), std::pair("[names]\ntime = \"1\"", "has another"),
      std::pair("[names]\nceil = \"1\"", "has another meaning in formulas"),
      std::pair("[names]\nwide = \"1\"", "is the name of a run"),
      std::pair("[names]\na = \"b\"\nb = \"a\"", "toml:10: name \"a\" uses b, which is not defined before it"),
      std::pair("[names]\na = \"2 * a\"", "uses a, which is not defined before it"),
      std::pair("[names]\na = \"gpu.sm_count | number\"", "has a unit: write it where the name is used, {a | UNIT}"),
      std::pair("[names]\na = \"1 < 2\"", "stands for a claim"),
      std::pair("[names]\na = 3", "a must be text in quotes"), std::pair("names = [\"a\"]", "names must be a table"));
  INFO(names);
  CHECK_THAT(error_with(std::string(names) + "\n"), Contains(error));
}

TEST_CASE("a step's name may not repeat one of the lesson, and its formula has a limit") {
  example::Files files = with_names(three, "\"Tc = 4\"");
  files.toml = example::with(files.toml, "name = \"make\"", "name = \"make\"\nnames = { Tc = \"1\" }");
  CHECK_THAT(example::error_of([&] { example::written(files); }), Contains("name \"Tc\" is defined twice"));
  std::string doubled = "[names]\na0 = \"tile_traffic.total\"\n";
  for (int n = 1; n < 30; ++n) doubled += sim::text("a", n, " = \"a", n - 1, " + a", n - 1, "\"\n");
  CHECK_THAT(error_with(doubled), Contains("stands for more than 4000 characters"));
}
