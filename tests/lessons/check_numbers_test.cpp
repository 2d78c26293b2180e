// Checks of the numbers that questions ask for, and of texts that give them away.
#include "lessons/check_numbers.h"

#include "tests/lessons/example.h"

using Catch::Contains;
using Findings = std::vector<std::string>;

namespace {

const std::string count_answer = "answer = \"tile_traffic.by_tensor.O.write_bytes\"";

/// The example with two more questions for numbers in its last step; the first is answered by `answer`.
example::Files with_question(const std::string& answer, const std::string& more = "") {
  example::Files files;
  const std::string question = "[[step.question]]\ntext = \"more\"\nkind = \"number\"\n" + more + "answer = \"" +
                               answer +
                               "\"\nwrong = [{ when = \"7\", why = \"seven\" }, { when = \"9\", why = \"nine\" }]\n";
  files.toml = example::with(files.toml, "[[step.question]]\ntext = \"formula\"",
                             question + "[[step.question]]\ntext = \"formula\"");
  for (std::string* text : {&files.en, &files.zh})
    *text = example::with(*text, "? formula:", "? more: How many?\n! seven: No.\n! nine: No.\n\n? formula:");
  return files;
}

}  // namespace

TEST_CASE("a number that is 0 is no answer") {
  CHECK(example::findings(with_question("tile_traffic.by_tensor.Q")).empty());
  const Findings found = example::findings(with_question("tile_traffic.by_tensor.K - tile_traffic.by_tensor.V"));
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Contains("question more has the answer 0"));
}

TEST_CASE("a tolerance accepts one count, not its neighbours") {
  const std::string count = "scenario.seqlen / scenario.br + 60";  // 64
  CHECK(example::findings(with_question(count, "tolerance = \"0.7 %\"\n")).empty());
  const Findings found = example::findings(with_question(count, "tolerance = \"1 %\"\n"));
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Contains("question more accepts other counts than 64: the tolerance of 1 % is more than half"));
  CHECK(example::findings(with_question(count + " | bytes", "tolerance = \"1 %\"\n")).empty());
}

TEST_CASE("two choices leave no second try") {
  example::Files files;
  files.toml = example::with(files.toml, "kind = \"choice\"\ntries = 1\n", "kind = \"choice\"\n");
  const Findings found = example::findings(files);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Contains("question fewer leaves one of two choices for a second try"));
}

TEST_CASE("an answer may not stand in a text before its question, whatever its formula and unit") {
  example::Files files = with_question("tile_traffic.by_tensor.Q / 3000 | number");  // 102.4
  const auto found_with = [&](const std::string& from, const std::string& formula) {
    example::Files more = files;
    for (std::string* text : {&more.en, &more.zh}) *text = example::with(*text, from, formula + "\n\n" + from);
    return example::findings(more);
  };
  const std::string later = "? formula:", earlier = "? written:", reason = "! once:";
  CHECK(found_with(earlier, "{tile_traffic.by_tensor.Q / 3001 | number}").empty());
  CHECK(found_with(earlier, "{tile_traffic.by_tensor.Q / 3000 | bytes}").empty());
  for (const std::string same :
       {"{tile_traffic.by_tensor.Q / 3000 | number}", "{tile_traffic.by_tensor.Q / 3000 | ratio}",
        "{(tile_traffic.by_tensor.Q + 0) / 3000 | percent}"}) {
    INFO(same);
    const Findings found = found_with(earlier, same);
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0], Contains("question more of step make is answered in step count by " + same));
  }
  CHECK(found_with(later, "{tile_traffic.by_tensor.Q / 3000 | number}").empty());
  files = with_question("tile_traffic.by_tensor.Q / 3000 | number", "retrieval = true\n");
  CHECK(found_with(earlier, "{tile_traffic.by_tensor.Q / 3000 | number}").empty());
}

TEST_CASE("few digits, and numbers that are given, answer a question by chance") {
  example::Files files = with_question("tile_traffic.by_tensor.Q / tile_traffic.by_tensor.K | number");  // 4
  const auto found_with = [&](const std::string& formula) {
    example::Files more = files;
    for (std::string* text : {&more.en, &more.zh})
      *text = example::with(*text, "? written:", formula + "\n\n? written:");
    return example::findings(more).size();
  };
  CHECK(found_with("{tile_traffic.by_tensor.Q / tile_traffic.by_tensor.V | number}") == 0);
  CHECK(found_with("{tile_traffic.by_tensor.Q/tile_traffic.by_tensor.K | ratio}") == 1);
  files = with_question("tile_traffic.by_tensor.Q / tile_traffic.by_tensor.K + 124 | number");  // 128
  CHECK(found_with("{2 * scenario.seqlen | number}") == 0);
}

TEST_CASE("the reason of a choice has no number of the right answer that the step does not show") {
  example::Files files;
  const std::string given = "{wide tile_traffic.total / 3 | bytes}";
  files.toml = example::with(files.toml, "kind = \"choice\"\ntries = 1\n", "kind = \"choice\"\n");
  files.toml = example::with(files.toml, "  { name = \"narrow\"",
                             "  { name = \"same\", when = \"1 = 2\" },\n  { name = \"narrow\"");
  for (std::string* text : {&files.en, &files.zh}) {
    const std::string label = "+ narrow: " + std::string(text == &files.en ? "narrow blocks" : "窄块");
    *text = example::with(*text, label, label + "\n+ same: -\n! same: -\n= fewer: " + given);
  }
  CHECK(example::findings(files).empty());
  for (std::string* text : {&files.en, &files.zh}) *text = example::with(*text, "! same: -", "! same: " + given);
  const Findings found = example::findings(files);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Contains("question fewer: \"! same:\" has a number of the right answer, " + given));
  for (std::string* text : {&files.en, &files.zh})
    *text = example::with(*text, "? fewer:", "?? written: " + given + "\n? fewer:");
  for (std::string* text : {&files.en, &files.zh})
    *text = example::with(*text, "{scenario.br}", "{scenario.br} " + given);
  CHECK(example::findings(files).empty());
}
