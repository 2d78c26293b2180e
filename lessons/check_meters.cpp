// Checks that what a lesson sets against each other is measured by one meter, or that its text states which ones.
#include <algorithm>
#include <set>

#include "lessons/check.h"
#include "sim/base/check.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

using std::string;
using Runs = std::set<string, std::less<>>;

/// Runs whose tile traffic, and whose HBM or compulsory traffic, a condition names; "" is the step's own.
struct Meters {
  Runs tiles, hbm;
  bool mixed() const { return !tiles.empty() && !hbm.empty(); }
};

Meters meters_in(const Lesson& lesson, const Step& step, const string& condition) {
  Runs names;
  for (const auto* others : {&lesson.others, &step.others}) {
    for (const Other& other : *others) names.insert(other.name);
  }
  Meters meters;
  string run;
  string words = condition;
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
  for (const std::string_view word : sim::split(words, " ")) {
    if (word.empty()) continue;
    if (word.starts_with("tile_traffic")) meters.tiles.insert(run);
    if (word.starts_with("hbm_traffic")) meters.hbm.insert(run);
    run = names.count(word) > 0 ? string(word) : "";
  }
  return meters;
}

/// Everything of a step that compares: its claims, choices and goals.
std::vector<string> conditions_of(const Step& step) {
  std::vector<string> conditions = step.claims;
  for (const Question& question : step.questions) {
    for (const Choice& choice : question.choices) conditions.push_back(choice.when);
    if (question.kind == QuestionKind::until) conditions.push_back(question.until);
  }
  return conditions;
}

/// Returns an error if a condition sets tile traffic against HBM traffic and its step does not allow it.
string mixed_error(const Lesson& lesson, const Step& step, const string& condition) {
  const Meters meters = meters_in(lesson, step, condition);
  if (!meters.mixed() || step.meters == "papers") return "";
  if (step.meters == "levels" && meters.tiles == meters.hbm) return "";
  const string what = sim::text("sets tile traffic against HBM traffic: ", condition);
  if (step.meters == "levels") return what + ": meters = \"levels\" is for two levels of one run";
  return what +
         ": take one meter, or add meters = \"papers\" and state their convention, or \"levels\" for what caches " +
         "serve of one run";
}

}  // namespace

std::string_view papers_convention(Language language) {
  return language == Language::zh ? "按论文的数法" : "as the papers count";
}

std::vector<string> meter_errors(const WrittenLesson& written, const Step& step) {
  std::vector<string> errors;
  for (const string& condition : conditions_of(step)) {
    if (string error = mixed_error(written.lesson, step, condition); !error.empty()) errors.push_back(std::move(error));
  }
  return errors;
}

string convention_error(const Step& step, Page page, Language language) {
  if (step.meters != "papers") return "";
  const std::string_view convention = papers_convention(language);
  const auto states = [&](const string* text) { return sim::in_lower_case(*text).find(convention) != string::npos; };
  const std::vector<string*> texts = texts_of(page);
  if (std::any_of(texts.begin(), texts.end(), states)) return "";
  return sim::text("step ", step.name, " sets tiles against whole matrices, so its text must say \"", convention, "\"");
}

}  // namespace lessons
