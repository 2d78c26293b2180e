#include "lessons/marking.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lessons/answer_errors.h"
#include "lessons/marking_parts.h"
#include "lessons/options_text.h"
#include "sim/base/check.h"
#include "sim/base/expression.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/model/formula_symbols.h"

namespace lessons {
namespace {

using std::string;
using std::string_view;

constexpr std::size_t longest_answer = 4096;

/// True if two numbers are equal but for the rounding of calculations.
bool is_same(double a, double b) { return std::abs(a - b) <= 1e-14 * std::abs(b); }

Verdict mark_choice(const Question& question, const Scene& scene, string_view answer) {
  const Choice& right = right_choice(question, scene.facts());
  const string name = sim::in_lower_case(answer);
  for (std::size_t n = 0; n < question.choices.size(); ++n) {
    const Choice& choice = question.choices[n];
    if (sim::in_lower_case(choice.name) != name && std::to_string(n + 1) != name) continue;
    const bool is_right = &choice == &right;
    return {.right = is_right, .given = choice.name, .expected = right.name, .why = is_right ? "" : choice.name};
  }
  throw Unclear(answer_errors::no_choice, sim::quoted(answer), question.choices.size());
}

string tile_text(TilePlace tile) { return sim::text(tile.i, ", ", tile.j); }

TilePlace tile_of(string_view formulas, const Facts& facts) {
  const std::size_t comma = formulas.rfind(',');
  sim::require(comma != string_view::npos, "lesson: ", sim::quoted(formulas),
               " is not a tile: ROW BLOCK, COLUMN BLOCK");
  return {std::llround(facts.value(formulas.substr(0, comma))), std::llround(facts.value(formulas.substr(comma + 1)))};
}

Verdict mark_tile(const Question& question, const Scene& scene, string_view answer) {
  const TilePlace given = typed_tile(answer), right = tile_of(question.answer, scene.facts());
  const sim::Problem& problem = scene.run().plan.problem;
  const std::int64_t rows = sim::ceil_div(problem.shape.seqlen_q, problem.tiling.br);
  const std::int64_t cols = sim::ceil_div(problem.shape.seqlen_k, problem.tiling.bc);
  require_clear(given.i < rows && given.j < cols, answer_errors::outside, tile_text(given), rows - 1, cols - 1);
  Verdict verdict{.right = given == right, .given = tile_text(given), .expected = tile_text(right)};
  for (const Wrong& wrong : question.wrong) {
    if (!verdict.right && tile_of(wrong.when, scene.facts()) == given) verdict.why = wrong.why;
  }
  return verdict;
}

Verdict mark_order(const Question& question, const Scene& scene, string_view answer) {
  const std::vector<std::size_t> shown = shown_order(question);
  std::vector<std::size_t> lines = typed_places(answer, shown.size());
  string given;
  for (std::size_t& place : lines) {
    given += (given.empty() ? "" : " ") + std::to_string(place + 1);
    place = shown[place];
  }
  const sim::Sentence early = LineOrder(question, scene.run()).too_early(lines);
  Verdict verdict{.right = early.empty(), .given = given, .expected = right_answer(question, scene), .reason = early};
  if (!verdict.right && !question.wrong.empty()) verdict.why = question.wrong.front().why;
  return verdict;
}

/// Splits typed options, which may follow the text's notation: "br=32&seqlen=4096" and "Br = 32, N=4096".
std::vector<std::pair<string, string>> typed_options(string_view answer) {
  string all;
  for (const char c : answer) {
    const bool space = c == ' ' || c == ',';
    if (c == '=') all.erase(all.find_last_not_of('&') + 1);
    if (!space || !all.ends_with('=')) all += space ? '&' : c;
  }
  std::vector<std::pair<string, string>> options;
  for (const string_view pair : sim::split(all, "&")) {
    const std::size_t end = std::min(pair.find('='), pair.size());
    string name = sim::in_lower_case(pair.substr(0, end));
    for (const auto& [letter, option] : {std::pair("n", "seqlen"), std::pair("d", "head-dim")}) {
      if (name == letter) name = option;
    }
    if (!pair.empty()) options.emplace_back(name, pair.substr(end));
  }
  return options;
}

/// Throws Unclear for values without their options, "96 16" or "96x16", and names the options: "br=96 bc=16".
void require_options(const std::vector<std::pair<string, string>>& typed, const Question& goal, string_view answer) {
  string example;
  std::size_t next = 0;
  bool named = true;
  for (const auto& [name, value] : typed) {
    const bool number = value.empty() && sim::is_digit(name.front());
    named = named && !number;
    for (const string_view one : sim::split(name, name.find('x') == string::npos ? "*" : "x")) {
      if (number && next < goal.change.size())
        example += (example.empty() ? "" : " ") + goal.change[next++] + "=" + string(one);
    }
  }
  require_clear(named, answer_errors::no_option, sim::quoted(answer), example);
}

sim::OptionValues changes_of(const Question& goal, string_view answer) {
  const std::vector<std::pair<string, string>> typed = typed_options(answer);
  require_clear(!typed.empty(), answer_errors::unchanged, sim::joined(goal.change));
  require_options(typed, goal, answer);
  string pairs;
  for (const auto& [name, value] : typed) {
    const bool free = std::find(goal.change.begin(), goal.change.end(), name) != goal.change.end();
    const sim::ScenarioOption* option = sim::find_option(name);
    if (option == nullptr) throw sim::Error(sim::unknown_name_message("option", name, goal.change));
    require_clear(free, answer_errors::locked, name, sim::joined(goal.change));
    require_clear(!value.empty() || option->kind == sim::OptionKind::flag, answer_errors::no_value, name);
    pairs += (pairs.empty() ? "" : "&") + name + value;
  }
  return read_options(pairs);
}

Verdict mark_goal(const Lesson& lesson, const Step& step, const Question& goal, const Scene& scene,
                  string_view answer) {
  const sim::OptionValues changes = changes_of(goal, answer);
  const Scene reached(lesson, step, scene.gpu(), changes);
  Verdict verdict{.right = reached.facts().holds(goal.until), .given = text_of(changes), .expected = goal.solution};
  if (!goal.score.empty()) verdict.score = reached.facts().quantity(goal.score).value;
  if (!goal.score.empty()) verdict.par = par_of(lesson, step, goal, scene);
  return verdict;
}

/// Returns the first scenario of `over` in which a formula does not equal the count; empty if there is none.
string fails_over(const Question& question, const Scene& scene, const string& formula) {
  for (const string& over : question.over) {
    const sim::OptionValues options = changed(scene.options(), read_options(over));
    const sim::Simulation run = sim::simulate(sim::scenario_from(options, scene.gpu()));
    Facts facts;
    facts.add("", run);
    if (!is_same(sim::formula_value(formula, run.plan), facts.quantity(question.answer).value)) return over;
  }
  return "";
}

Verdict mark_reading(const Question& question, const Scene& scene, const string& formula, string_view answer) {
  const double value = sim::formula_value(formula, scene.run().plan);
  const Facts::Quantity count = scene.facts().quantity(question.answer);
  const bool equal = is_same(value, count.value);
  const string over = equal ? fails_over(question, scene, formula) : string();
  Verdict verdict{.right = equal && over.empty(),
                  .given = sim::text(answer, " = ", written(value, count.unit)),
                  .expected = question.solution + " = " + written(count.value, count.unit)};
  if (verdict.right) return verdict;
  if (equal) verdict.reason = {/*say*/ "It gives the right number here, but not with {}.", sim::Sentence::name(over)};
  for (const Wrong& wrong : question.wrong) {
    if (sim::formula_value(wrong.when, scene.run().plan) == value) verdict.why = wrong.why;
  }
  verdict.ratio = count.value == 0 ? 0 : value / count.value;
  return verdict;
}

/// Throws Unclear for a text that no formula is.
void require_formula(const string& formula, string_view answer) {
  try {
    sim::Expression::parse(formula, sim::formula_symbols());
  } catch (const sim::Error&) {
    throw Unclear(answer_errors::no_formula, sim::quoted(answer));
  }
}

Verdict mark_formula(const Question& question, const Scene& scene, string_view answer) {
  std::vector<Verdict> verdicts;
  for (const string& formula : formula_readings(answer, sim::formula_symbols())) {
    require_formula(formula, answer);
    verdicts.push_back(mark_reading(question, scene, formula, answer));
    if (verdicts.back().right) return verdicts.back();
  }
  for (const Verdict& verdict : verdicts) {
    if (!verdict.why.empty()) return verdict;
  }
  return verdicts.front();
}

Verdict marked(const Lesson& lesson, const Step& step, const Question& question, const Scene& scene,
               string_view answer) {
  switch (question.kind) {
    case QuestionKind::number:
      return mark_number(question, scene, answer);
    case QuestionKind::choice:
      return mark_choice(question, scene, answer);
    case QuestionKind::tile:
      return mark_tile(question, scene, answer);
    case QuestionKind::order:
      return mark_order(question, scene, answer);
    case QuestionKind::until:
      return mark_goal(lesson, step, question, scene, answer);
    case QuestionKind::formula:
      return mark_formula(question, scene, answer);
  }
  return {};
}

Verdict not_understood(const sim::Sentence& why) {
  Verdict verdict;
  verdict.understood = false;
  verdict.error = why;
  return verdict;
}

}  // namespace

TilePlace typed_tile(string_view answer) {
  string words;
  bool fits = answer.size() <= 40;
  for (const char c : answer) {
    fits = fits && (sim::is_digit(c) || string_view(" ,()").find(c) != string_view::npos);  // no sign, no decimal point
    words += sim::is_digit(c) ? c : ' ';
  }
  std::vector<std::int64_t> numbers;
  for (const string_view word : sim::split(words, " ")) {
    if (word.empty()) continue;
    std::int64_t number = 0;
    fits = fits && std::from_chars(word.data(), word.data() + word.size(), number).ec == std::errc{};
    numbers.push_back(number);
  }
  require_clear(fits && numbers.size() == 2, answer_errors::no_tile, sim::quoted(answer));
  return {numbers[0], numbers[1]};
}

Verdict mark(const Lesson& lesson, const Step& step, const Question& question, const Scene& scene, string_view answer) {
  const string_view typed = sim::trimmed(answer, " \t\r\n");
  try {
    require_clear(!typed.empty(), answer_errors::nothing);
    require_clear(typed.size() <= longest_answer, answer_errors::long_answer, longest_answer);
    require_clear(sim::printable(typed) == typed, answer_errors::unseen);
    return marked(lesson, step, question, scene, in_plain_signs(typed));
  } catch (const sim::Error& error) {
    return not_understood(error.sentence());
  }
}

const Choice& right_choice(const Question& question, const Facts& facts) {
  const Choice* right = nullptr;
  for (const Choice& choice : question.choices) {
    if (!facts.holds(choice.when)) continue;
    sim::require(right == nullptr, "lesson: of question ", question.text, " both ", right ? right->name : "", " and ",
                 choice.name, " hold");
    right = &choice;
  }
  sim::require(right != nullptr, "lesson: of question ", question.text, " no choice holds");
  return *right;
}

string right_answer(const Question& question, const Scene& scene) {
  switch (question.kind) {
    case QuestionKind::number:
      return typed_number(scene.facts().quantity(question.answer));
    case QuestionKind::choice:
      return right_choice(question, scene.facts()).name;
    case QuestionKind::tile:
      return tile_text(tile_of(question.answer, scene.facts()));
    case QuestionKind::until:
    case QuestionKind::formula:
      return question.solution;
    case QuestionKind::order:
      break;
  }
  const std::vector<std::size_t> shown = shown_order(question);
  string answer;
  for (std::size_t line = 0; line < shown.size(); ++line) {
    const auto place = std::find(shown.begin(), shown.end(), line) - shown.begin();
    answer += (answer.empty() ? "" : " ") + std::to_string(place + 1);
  }
  return answer;
}

string wrong_answer(const Question& question, const Wrong& wrong, const Scene& scene) {
  if (question.kind == QuestionKind::tile) return tile_text(tile_of(wrong.when, scene.facts()));
  if (question.kind != QuestionKind::number) return wrong.when;
  return typed_number({scene.facts().quantity(wrong.when).value, scene.facts().quantity(question.answer).unit});
}

}  // namespace lessons
