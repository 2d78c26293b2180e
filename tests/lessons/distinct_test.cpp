// Checks that anticipated wrong answers identify a misconception: over random scenarios they differ from the right
// answer and from each other by more than the tolerance. Formulas that do not differ coincide by accident.
#include <catch2/catch.hpp>
#include <cstdio>

#include "lessons/options_text.h"
#include "tests/lessons/built_in.h"
#include "tests/lessons/example.h"
#include "tests/support/random_scenario.h"

namespace {

using lessons::Question;
using lessons::QuestionKind;

/// Draws new sizes for a scenario. Sizes that another run of the step sets are locked, as are tiles. The minimum sizes
/// avoid degenerate blocks of one row, column or tile.
sim::OptionValues random_sizes(sim::Dice& dice, const sim::OptionValues& of_step, const std::set<std::string>& locked) {
  const auto value = [&](const std::string& name, std::int64_t otherwise) {
    const auto found = of_step.find(name);
    return found == of_step.end() ? otherwise : std::stoll(found->second);
  };
  const std::int64_t seqlen = value("seqlen", 1024);
  sim::OptionValues sizes;
  sizes["seqlen"] = std::to_string(seqlen * dice.between(2, 8) / 4);
  sizes["heads"] = std::to_string(dice.between(3, 40));
  sizes["batch"] = std::to_string(dice.between(3, 20));
  sizes["head-dim"] = std::to_string(8 * dice.between(4, 20));
  for (const std::string& name : locked) sizes.erase(name);
  return sizes;
}

/// Returns the options that the other runs of a step set: drawn at random, two runs could become equal.
std::set<std::string> set_by_others(const lessons::Lesson& lesson, const lessons::Step& step) {
  std::set<std::string> names;
  for (const auto* others : {&lesson.others, &step.others}) {
    for (const lessons::Other& other : *others) {
      for (const auto& [name, value] : lessons::read_options(other.scenario)) names.insert(name);
    }
  }
  return names;
}

/// True if the lesson depends on its sizes: values that are followed by hand, a model's name.
bool is_locked(const lessons::Step& step, const sim::OptionValues& options) {
  const auto worked = options.find("inputs");
  return options.count("model") > 0 || (worked != options.end() && worked->second == "worked") ||
         (step.at && step.at->cta != "0,0,0,0");
}

struct Tally {
  int drawn = 0, impossible = 0, alike = 0;
  std::map<std::string, int> pairs;
};

bool alike(double a, double b, double tolerance) { return std::abs(a - b) <= std::max(tolerance, 1e-12) * std::abs(b); }

/// Counts the question in `tally`, and whether two of its answers are equal.
void tell_apart(const Question& question, const lessons::Scene& scene, const std::string& place, Tally& tally) {
  std::vector<std::pair<std::string, double>> answers = {{"right", scene.facts().quantity(question.answer).value}};
  for (const lessons::Wrong& wrong : question.wrong)
    answers.emplace_back(wrong.why, scene.facts().quantity(wrong.when).value);
  bool good = true;
  for (std::size_t a = 0; a < answers.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (!alike(answers[a].second, answers[b].second, question.tolerance)) continue;
      ++tally.pairs[place + ": " + answers[b].first + " and " + answers[a].first];
      good = false;
    }
  }
  ++tally.drawn;
  tally.alike += good ? 0 : 1;
}

Tally tally_of(int scenarios) {
  Tally tally;
  for (const lessons::WrittenLesson* written : built_in::lessons()) {
    for (const lessons::Step& step : written->lesson.steps) {
      std::vector<const Question*> numbers;
      for (const Question& question : step.questions) {
        if (question.kind == QuestionKind::number) numbers.push_back(&question);
      }
      const sim::OptionValues options = lessons::options_of(written->lesson, step);
      if (numbers.empty() || is_locked(step, options)) continue;
      std::set<std::string> locked = set_by_others(written->lesson, step);
      for (const Question* number : numbers) {  // counts of busy SMs are equal once all SMs are
        if (number->answer.find("sms_busy") != std::string::npos) locked.insert({"heads", "batch"});
      }
      const auto algorithm = options.find("algorithm");  // flash3 has its tiles, square ones too, by head dim
      if (algorithm != options.end() && algorithm->second == "flash3") locked.insert("head-dim");
      sim::Dice dice(29);
      for (int n = 0; n < scenarios; ++n) {
        try {
          const lessons::Scene scene(written->lesson, step, sim::built_in_gpu, random_sizes(dice, options, locked));
          for (const Question* question : numbers)
            tell_apart(*question, scene, written->lesson.id + " " + step.name + " " + question->text, tally);
        } catch (const sim::Error&) {
          ++tally.impossible;  // tiles that do not fit, a cursor beyond the end, a division by zero
        }
      }
    }
  }
  std::printf("wrong answers over random scenarios: %d drawn, %d of them alike, %d scenarios impossible\n", tally.drawn,
              tally.alike, tally.impossible);
  return tally;
}

void check(const Tally& tally) {
  std::string pairs;
  for (const auto& [pair, times] : tally.pairs) pairs += sim::text("\n  ", pair, ": ", times);
  INFO("alike:" << pairs);
  CHECK(tally.drawn > 0);
  CHECK(tally.alike <= 0.02 * tally.drawn);
  CHECK(tally.impossible <= tally.drawn);
}

}  // namespace

TEST_CASE("wrong answers that are expected differ in random scenarios", "[repeats]") { check(tally_of(5)); }

TEST_CASE("wrong answers that are expected differ in 200 random scenarios", "[slow]") { check(tally_of(200)); }
