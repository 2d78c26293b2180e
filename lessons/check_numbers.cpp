#include "lessons/check_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lessons/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

using std::string;
using std::string_view;

constexpr std::size_t least_digits = 3;  ///< fewer are equal by chance

/// Units in which a number may be asked in one and shown in the other.
string_view dimension_of(string_view unit) {
  for (const string_view number : {"number", "count", "ratio", "percent"}) {
    if (unit == number) return "number";
  }
  return unit == "exact_bytes" || unit == "kibibytes" ? "bytes" : unit;
}

/// Counts the digits of a number, without the zeros at its ends.
std::size_t significant_digits(double value) {
  string text = fmt::format("{:.12e}", value);
  text.resize(text.find('e'));
  text.erase(text.find_last_not_of('0') + 1);
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), sim::is_digit));
}

/// True for a formula of inputs alone, such as N d, which every step may show.
bool is_given(string_view formula) {
  const std::vector<FormulaPart> parts = formula_parts(formula.substr(0, formula.find('|')));
  return std::all_of(parts.begin(), parts.end(), [](const FormulaPart& part) {
    constexpr string_view inputs[] = {"scenario.", "gpu.", "roofs.hbm_ridge", "roofs.matrix_peak"};
    return part.kind != FormulaPart::Kind::word ||
           std::any_of(std::begin(inputs), std::end(inputs),
                       [&](string_view input) { return part.text.starts_with(input); });
  });
}

/// Formula without unit and spaces, to compare with others.
string normal(string_view formula) {
  string text(formula.substr(0, formula.find('|')));
  std::erase(text, ' ');
  return text;
}

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

}  // namespace

string number_error(const Question& question, const Facts& facts) {
  if (question.kind != QuestionKind::number) return "";
  const Facts::Quantity answer = facts.quantity(question.answer);
  if (answer.value == 0) return "has the answer 0, which needs no number: " + question.answer;
  const bool count = answer.value == std::floor(answer.value) && (answer.unit == "number" || answer.unit == "count");
  if (!count || question.tolerance * std::abs(answer.value) < 0.5) return "";
  return sim::text("accepts other counts than ", plain_number(answer.value), ": the tolerance of ",
                   plain_number(100 * question.tolerance), " % is more than half of one");
}

std::vector<string> reason_errors(const Question& question, const Page& page, const Facts& facts) {
  std::vector<string> errors;
  if (question.kind != QuestionKind::choice || question.tries < 2) return errors;
  const QuestionWords& words = page.words(question.text);
  const std::vector<string> because = formulas_in(words.because);
  std::set<string> shown;
  const auto show = [&](const string& text) {
    for (string& formula : formulas_in(text)) shown.insert(std::move(formula));
  };
  for (const Block& block : page.blocks) show(block.text);
  show(words.question);
  for (const string& hint : words.hints) show(hint);
  for (const Choice& choice : question.choices) {
    for (const string& formula : formulas_in(page.reason(choice.name))) {
      const auto gives = [&](const string& other) {
        const Facts::Quantity a = facts.quantity(formula), b = facts.quantity(other);
        return same(a.value, b.value) && dimension_of(a.unit) == dimension_of(b.unit);
      };
      if (!is_given(formula) && !shown.contains(formula) && std::any_of(because.begin(), because.end(), gives))
        errors.push_back(sim::text("\"! ", choice.name, ":\" has a number of the right answer, {", formula, "}"));
    }
  }
  return errors;
}

void ReadNumbers::add(string_view text, const Step& step, const Facts& facts) {
  for (const string& formula : formulas_in(text)) {
    if (is_given(formula)) continue;
    const auto [value, unit] = facts.quantity(formula);
    numbers_.push_back({value, unit, step.name, formula});
  }
}

string ReadNumbers::answered(const Question& question, const Facts& facts) const {
  const auto [value, unit] = facts.quantity(question.answer);
  for (const Number& number : numbers_) {
    if (!same(number.value, value) || dimension_of(number.unit) != dimension_of(unit)) continue;
    if (significant_digits(value) < least_digits && normal(number.formula) != normal(question.answer)) continue;
    return sim::text("is answered in step ", number.step, " by {", number.formula, "} = ", written(value, unit));
  }
  return "";
}

std::vector<std::pair<const Question*, string>> ReadNumbers::read(const Step& step, const Page& page,
                                                                  const Facts& facts) {
  std::vector<std::pair<const Question*, string>> errors;
  add(page.title, step, facts);
  for (const Block& block : page.blocks) add(block.text, step, facts);
  for (const Question& question : step.questions) {
    const QuestionWords& words = page.words(question.text);
    add(words.question, step, facts);
    for (const string& hint : words.hints) add(hint, step, facts);
    if (question.kind == QuestionKind::number && !question.retrieval) {
      if (const string error = answered(question, facts); !error.empty())
        errors.emplace_back(&question, sim::text("question ", question.text, " of step ", step.name, " ", error));
    }
    add(words.because, step, facts);
  }
  for (const Block& block : page.told) add(block.text, step, facts);
  return errors;
}

}  // namespace lessons
