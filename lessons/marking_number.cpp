// Parses typed numbers, and diagnoses wrong ones.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "lessons/answer_errors.h"
#include "lessons/marking_parts.h"
#include "sim/base/check.h"
#include "sim/base/expression.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/report/numbers.h"

namespace lessons {
namespace {

using std::string;
using std::string_view;

/// True if the letter at a place is the number e, and not a part of a word.
bool is_number_e(string_view typed, std::size_t n) {
  const bool word = (n > 0 && sim::is_letter(typed[n - 1])) || (n + 1 < typed.size() && sim::is_letter(typed[n + 1]));
  return typed[n] == 'e' && !word;
}

/// Returns the start of the unit after a number: one past the last digit, bracket or number e.
std::size_t end_of_number(string_view typed, bool with_e) {
  for (std::size_t n = typed.size(); n > 0; --n) {
    const char c = typed[n - 1];
    if (sim::is_digit(c) || c == ')' || (with_e && is_number_e(typed, n - 1))) return n;
  }
  return 0;
}

/// True if a text begins with exactly three digits: a group of "1 048 576".
bool is_group(string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return digits == 3;
}

bool is_digit_at(string_view text, std::size_t n) { return n < text.size() && sim::is_digit(text[n]); }

/// True if each comma begins a group of exactly three digits, as in "1,048,576" and not in "0,36" or "0,368".
bool has_groups(string_view typed) {
  bool first = true, zero = false;  // state within a number
  for (std::size_t n = 0, digits = 0; n < typed.size(); ++n) {
    if (sim::is_digit(typed[n])) {
      zero = digits == 0 && first ? typed[n] == '0' : zero;
      ++digits;
    } else if (typed[n] == ',') {
      if (digits == 0 || digits > 3 || zero || !is_group(typed.substr(n + 1))) return false;
      first = false;
      digits = 0;
    } else {
      first = true;
      digits = 0;
    }
  }
  return true;
}

/// True if each comma may be a decimal point: at most one per number, and no point.
bool has_decimal_commas(string_view typed) {
  bool marked = false;
  for (std::size_t n = 0; n < typed.size(); ++n) {
    const bool mark = typed[n] == ',' || typed[n] == '.';
    if (mark && marked) return false;
    if (typed[n] == ',' && (n == 0 || !sim::is_digit(typed[n - 1]) || !is_digit_at(typed, n + 1))) return false;
    marked = mark || (marked && sim::is_digit(typed[n]));
  }
  return true;
}

/// Returns "1_048_576" and "1 048 576" without the separators of groups, and each comma replaced by `comma`.
string without_groups(string_view typed, string_view comma) {
  string plain;
  for (std::size_t n = 0; n < typed.size(); ++n) {
    const char c = typed[n];
    const string_view rest = typed.substr(n + 1);
    const bool digits = n > 0 && sim::is_digit(typed[n - 1]) && is_digit_at(typed, n + 1);
    if (digits && (c == '_' || (c == ' ' && is_group(rest)))) continue;
    if (c == ',') {
      plain += comma;
    } else {
      plain += c;
    }
  }
  return plain;
}

/// Returns the possible readings of a number: commas separate groups of three digits, or one is the decimal point;
/// "4,456" has both readings. Empty if neither is possible, as in "1,2,3" and in "(1,0)", which is a pair.
std::vector<string> meanings_of(string_view typed) {
  if (typed.find(',') == string_view::npos) return {without_groups(typed, "")};
  const bool pair = typed.front() == '(' && typed.find_first_of("+*/^") == string_view::npos;
  std::vector<string> meanings;
  if (!pair && has_groups(typed)) meanings.push_back(without_groups(typed, ""));
  if (!pair && has_decimal_commas(typed)) meanings.push_back(without_groups(typed, "."));
  return meanings;
}

[[noreturn]] void refuse(string_view typed) { throw Unclear(answer_errors::no_number, sim::quoted(typed)); }

/// Evaluates a number or a calculation. Other text is rejected as such; an invalid calculation with the reason.
double calculated(const string& number, string_view typed, bool with_e) {
  const bool calculates = number.find_first_of("+*/^(") != string::npos;
  const bool digits = number.find_first_not_of("0123456789.e+-") == string::npos && number.find("..") == string::npos;
  std::optional<sim::Expression> formula;
  try {
    const std::vector<string> names = with_e ? std::vector<string>{"e"} : std::vector<string>{};
    formula = sim::Expression::parse(formula_readings(number, names).front(), names);
  } catch (const sim::Error&) {
    if (calculates) throw Unclear(answer_errors::no_calculation, sim::quoted(typed));
    if (digits) throw Unclear(answer_errors::too_long, sim::quoted(typed));  // such as 1e400
    refuse(typed);
  }
  return formula->evaluate(with_e ? std::vector<double>{std::exp(1.0)} : std::vector<double>{});
}

/// Returns the digits of a plain number, and half a unit in the last of them; see TypedNumber.
TypedNumber digits_of_number(const string& number) {
  const std::size_t exponent = std::min(number.find_first_of("eE"), number.size());
  const string mantissa = number.substr(0, exponent), power = number.substr(std::min(exponent + 1, number.size()));
  if (mantissa.find_first_not_of("0123456789.") != string::npos) return {};
  if (power.find_first_not_of("0123456789+-") != string::npos || power.find_first_of("+-", 1) != string::npos)
    return {};
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  string digits = mantissa;
  std::erase(digits, '.');
  digits.erase(0, digits.find_first_not_of('0'));
  TypedNumber written{.digits = digits.size()};
  int unit = std::atoi(power.c_str()) - static_cast<int>(mantissa.size() - std::min(point + 1, mantissa.size()));
  if (exponent == number.size() && point == mantissa.size() && written.digits > 4) {
    for (; written.digits > 3 && digits[written.digits - 1] == '0'; --written.digits) ++unit;
  }
  written.half_digit = 0.5 * std::pow(10.0, unit);
  return written;
}

bool is_exact(const TypedNumber& given, double answer, double tolerance) {
  return std::abs(given.value - answer) <= std::max(tolerance, 1e-12) * std::abs(answer);
}

bool agrees(const TypedNumber& given, double answer, double tolerance) {
  const bool rounded = given.digits >= 3 && std::abs(given.value - answer) <= given.half_digit;
  return rounded || is_exact(given, answer, tolerance);
}

/// Throws Unclear for a range, which would evaluate to a difference. It does not count as a try.
void require_no_range(string_view typed, const TypedNumber& given, string_view unit) {
  require_clear(given.value >= 0 || typed[0] == '-', answer_errors::range, sim::quoted(typed),
                written_exactly(given.value, unit));
}

TypedNumber scaled(TypedNumber number, double factor) {
  number.value *= factor;
  number.half_digit *= factor;
  return number;
}

/// Throws Unclear if the digits are right in a unit that was not typed. It does not count as a try.
void require_unit(string_view typed, const TypedNumber& given, const Facts::Quantity& right, double tolerance) {
  if (given.with_unit) return;
  for (const string& suffix : suffixes_of(right.unit)) {
    const double factor = factor_of(suffix, right.unit);
    const bool binary = suffix.find('i') != string::npos;
    require_clear(binary || !agrees(scaled(given, factor), right.value, tolerance), answer_errors::unit_missing,
                  sim::quoted(typed), written_exactly(given.value, right.unit), sim::joined(suffixes_of(right.unit)));
  }
}

/// Returns parts of the tile traffic, and their names for a reader.
std::vector<std::pair<double, sim::Sentence>> parts_of_traffic(const Facts& facts) {
  const std::pair<string_view, sim::Sentence> terms[] = {
      {"statistics", /*say*/ "the statistics"},  {"initialisation", /*say*/ "the initialisation"},
      {"by_tensor.Q", sim::Sentence::name("Q")}, {"by_tensor.K", sim::Sentence::name("K")},
      {"by_tensor.V", sim::Sentence::name("V")}, {"by_tensor.O", sim::Sentence::name("O")}};
  std::vector<std::pair<double, sim::Sentence>> parts;
  for (const auto& [term, name] : terms) {
    try {
      parts.emplace_back(facts.value(sim::text("tile_traffic.", term)), name);
    } catch (const sim::Error&) {
      continue;  // the run has no such tensor
    }
  }
  return parts;
}

/// Names the part of the tile traffic that is missing from an answer, if the question is about all of it: one that fits
/// exactly, else the digits that were typed. Empty if no part or parts of different sizes fit.
sim::Sentence missing_part(const Question& question, const Facts& facts, const TypedNumber& given, double answer) {
  if (question.answer.find("tile_traffic.total") == string::npos) return {};
  const double scale = answer / facts.value("tile_traffic.total");
  std::vector<std::pair<double, sim::Sentence>> parts = parts_of_traffic(facts);
  std::erase_if(parts, [](const auto& part) { return part.first <= 0; });
  const auto keep = [&](bool (*fits)(const TypedNumber&, double, double)) {
    auto some = parts;
    std::erase_if(some, [&](const auto& part) { return !fits(given, answer - part.first * scale, 1e-9); });
    return some;
  };
  auto found = keep(is_exact);
  if (found.empty()) found = keep(agrees);
  std::vector<sim::Sentence> names;
  for (const auto& [traffic, name] : found) {
    if (traffic != found.front().first) return {};
    names.push_back(name);
  }
  if (names.empty()) return {};
  sim::Sentence which = names.back();
  names.pop_back();
  if (!names.empty()) which = sim::Sentence("{} or {}", sim::Sentence::list(std::move(names)), which);
  return {/*say*/ "This is missing: {}.", sim::Sentence(/*say*/ "the traffic of {}", which)};
}

struct KnownRatio {
  double ratio;
  string_view reason;
};

/// Returns the ratios that have a reason, the likelier ones first. The counting of reads and writes is considered only
/// for traffic.
std::vector<KnownRatio> known_ratios(string_view unit, bool is_traffic, const sim::Plan& plan) {
  const bool bytes = unit.find("bytes") != string_view::npos;
  if (!bytes && unit != "flops") return {};
  const auto heads = static_cast<double>(plan.problem.shape.heads),
             batch = static_cast<double>(plan.problem.shape.batch);
  std::vector<KnownRatio> all;
  if (bytes) {
    all.push_back({1 / static_cast<double>(sim::size_of(plan.problem.dtype)),
                   /*say*/ "These are elements; an element takes several bytes."});
  }
  if (bytes && is_traffic) {
    all.push_back({2, /*say*/ "Twice as much: are reads and writes counted twice, or elements for bytes?"});
    all.push_back({0.5, /*say*/ "Half of it: are the writes there, as well as the reads?"});
  }
  all.push_back({1 / (heads * batch), /*say*/ "This is one head of one batch entry; the run has more."});
  for (const double ratio : {heads, 1 / heads}) all.push_back({ratio, /*say*/ "Off by the number of heads."});
  for (const double ratio : {batch, 1 / batch}) all.push_back({ratio, /*say*/ "Off by the number of batch entries."});
  for (const double power : {1.024, 1.024 * 1.024, 1.024 * 1.024 * 1.024}) {
    constexpr string_view binary = /*say*/ "1,024 for 1,000, or the reverse: kB are 1,000 bytes, KiB 1,024.";
    if (bytes) all.insert(all.end(), {{power, binary}, {1 / power, binary}});
  }
  std::erase_if(all, [](const KnownRatio& known) { return known.ratio == 1; });
  return all;
}

/// Explains a wrong number by its ratio to the right one, as precisely as it was typed. Empty if no ratio, or different
/// ones, fit.
sim::Sentence by_ratio(const TypedNumber& given, double right, const std::vector<KnownRatio>& known) {
  const double half = given.digits >= 2 ? given.half_digit : 0;
  const auto fits = [&](double ratio) {
    return std::abs(given.value - ratio * right) <= std::max(half, 1e-6 * std::abs(ratio * right));
  };
  if (fits(1)) return given.digits == 2 ? sim::Sentence(/*say*/ "Close: write three digits or more.") : sim::Sentence();
  const KnownRatio* found = nullptr;
  for (const KnownRatio& one : known) {
    if (!fits(one.ratio)) continue;
    if (found != nullptr && std::abs(found->ratio - one.ratio) > 1e-6 * one.ratio) return {};
    if (found == nullptr) found = &one;
  }
  return found == nullptr ? sim::Sentence() : sim::Sentence(found->reason);
}

/// Formats with at most twelve decimals, without trailing zeros.
string digits_of(double value) {
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.12f", value);
  string text = digits;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

/// Returns the possible readings of a typed number, the likeliest first.
std::vector<TypedNumber> read_numbers(string_view typed, string_view unit) {
  const bool with_e = unit == "number" || unit == "ratio" || unit == "percent";  // else e is bytes per element
  const std::size_t end = end_of_number(typed, with_e);
  if (end == 0) refuse(typed);
  const string_view suffix = sim::trimmed(typed.substr(end));
  const double factor = factor_of(suffix, unit);
  const std::vector<string> known = suffixes_of(unit);
  require_clear(factor > 0 || !known.empty(), answer_errors::no_unit, sim::quoted(suffix));
  require_clear(factor > 0, answer_errors::other_unit, sim::quoted(suffix), sim::joined(known));
  std::vector<TypedNumber> numbers;
  for (const string& number : meanings_of(sim::trimmed(typed.substr(0, end)))) {
    TypedNumber read = digits_of_number(number);
    read.value = calculated(number, typed, with_e);
    read.with_unit = !suffix.empty();
    numbers.push_back(scaled(read, factor));
    if (unit == "percent" && suffix.empty()) numbers.push_back(read);  // 0.269 for 26.9 %
  }
  if (numbers.empty()) refuse(typed);
  return numbers;
}

TypedNumber read_number(string_view typed, string_view unit) { return read_numbers(typed, unit).front(); }

string typed_number(const Facts::Quantity& quantity) {
  if (quantity.unit == "percent") return digits_of(quantity.value * 100) + " %";
  return digits_of(quantity.value) + (quantity.unit == "kibibytes" ? " B" : "");
}

namespace {

/// A reading of a typed number, and the wrong answer that it is, or null.
struct Meant {
  TypedNumber number;
  const Wrong* wrong = nullptr;
};

/// Returns the reading that is meant: one that is right or anticipated, and rather exactly than rounded, else the one
/// closest to the right number.
Meant meant_number(const Question& question, const Facts& facts, double right,
                   const std::vector<TypedNumber>& readings) {
  for (const auto& fits : {is_exact, agrees}) {
    for (const TypedNumber& reading : readings) {
      if (fits(reading, right, question.tolerance)) return {reading};
    }
    for (const TypedNumber& reading : readings) {
      for (const Wrong& wrong : question.wrong) {
        const double tolerance = fits == is_exact ? 0 : question.tolerance;
        if (fits(reading, facts.quantity(wrong.when).value, tolerance)) return {reading, &wrong};
      }
    }
  }
  const auto distance = [&](const TypedNumber& reading) { return std::abs(std::log(std::abs(reading.value / right))); };
  const auto closer = [&](const TypedNumber& a, const TypedNumber& b) { return distance(a) < distance(b); };
  return {*std::min_element(readings.begin(), readings.end(), closer)};
}

}  // namespace

Verdict mark_number(const Question& question, const Scene& scene, string_view answer) {
  const Facts& facts = scene.facts();
  const Facts::Quantity right = facts.quantity(question.answer);
  const auto [given, wrong] = meant_number(question, facts, right.value, read_numbers(answer, right.unit));
  require_no_range(answer, given, right.unit);
  Verdict verdict{.right = wrong == nullptr && agrees(given, right.value, question.tolerance),
                  .given = written_exactly(given.value, right.unit),
                  .expected = written_exactly(right.value, right.unit)};
  if (verdict.right) return verdict;
  verdict.ratio = right.value == 0 ? 0 : given.value / right.value;
  if (wrong != nullptr) {
    verdict.why = wrong->why;
    return verdict;
  }
  require_unit(answer, given, right, question.tolerance);
  const bool is_traffic = question.answer.find("traffic") != string::npos;
  verdict.reason = missing_part(question, facts, given, right.value);
  if (verdict.reason.empty() && right.value != 0)
    verdict.reason = by_ratio(given, right.value, known_ratios(right.unit, is_traffic, scene.run().plan));
  return verdict;
}

}  // namespace lessons
