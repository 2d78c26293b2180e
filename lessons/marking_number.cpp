// Parses typed numbers, and diagnoses wrong ones.
#include <algorithm>
#include <cmath>
#include <cstdio>

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

/// Returns the start of the unit after a number: one past the last digit or bracket.
std::size_t end_of_number(string_view typed) {
  const std::size_t last = typed.find_last_of("0123456789)");
  return last == string_view::npos ? 0 : last + 1;
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
string plain_number(string_view typed, string_view comma) {
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
  if (typed.find(',') == string_view::npos) return {plain_number(typed, "")};
  const bool pair = typed.front() == '(' && typed.find_first_of("+*/^") == string_view::npos;
  std::vector<string> meanings;
  if (!pair && has_groups(typed)) meanings.push_back(plain_number(typed, ""));
  if (!pair && has_decimal_commas(typed)) meanings.push_back(plain_number(typed, "."));
  return meanings;
}

[[noreturn]] void refuse(string_view typed) { throw Unclear(answer_errors::no_number, sim::quoted(typed)); }

/// Evaluates a number or a calculation. Other text is rejected as such; an invalid calculation with the reason.
double calculated(const string& number, string_view typed) {
  const bool calculates = number.find_first_of("+*/^(") != string::npos;
  const bool digits = number.find_first_not_of("0123456789.e+-") == string::npos;
  try {
    return sim::Expression::parse(number, {}).evaluate({});
  } catch (const sim::Error&) {
    if (calculates || (digits && number.find("..") == string::npos)) throw;  // such as 1e400
    refuse(typed);
  }
}

/// Returns half a unit in the last digit of a plain number with three digits or more; 0 for others, which must be
/// exact.
double half_digit_of(string_view number) {
  std::size_t digits = 0, decimals = 0;
  bool fraction = false;
  for (const char c : number) {
    if (c == '.') fraction = true;
    if (!sim::is_digit(c) && c != '.') return 0;
    const bool counts = sim::is_digit(c) && (digits > 0 || c != '0');
    digits += counts ? 1 : 0;
    decimals += fraction && sim::is_digit(c) ? 1 : 0;
  }
  return digits < 3 ? 0 : 0.5 * std::pow(10.0, -static_cast<double>(decimals));
}

bool agrees(const TypedNumber& given, double answer, double tolerance) {
  const double difference = std::abs(given.value - answer);
  return difference <= std::max(tolerance, 1e-12) * std::abs(answer) || difference <= given.half_digit;
}

/// Throws Unclear for a range, which would evaluate to a difference. It does not count as a try.
void require_no_range(string_view typed, const TypedNumber& given, string_view unit) {
  require_clear(given.value >= 0 || typed[0] == '-', answer_errors::range, sim::quoted(typed),
                written_exactly(given.value, unit));
}

/// Throws Unclear if the digits are right in a unit that was not typed. It does not count as a try.
void require_unit(string_view typed, const TypedNumber& given, const Facts::Quantity& right, double tolerance) {
  if (given.with_unit) return;
  for (const string& suffix : suffixes_of(right.unit)) {
    const double factor = factor_of(suffix, right.unit);
    const bool binary = suffix.find('i') != string::npos;
    require_clear(binary || !agrees({given.value * factor, given.half_digit * factor}, right.value, tolerance),
                  answer_errors::unit_missing, sim::quoted(typed), written_exactly(given.value, right.unit),
                  sim::joined(suffixes_of(right.unit)));
  }
}

/// Names the part of the tile traffic that is missing from an answer, if the question is about all of it; else empty.
sim::Sentence missing_term(const Question& question, const Facts& facts, double given, double answer) {
  if (question.answer.find("tile_traffic.total") == string::npos) return {};
  const std::pair<string_view, sim::Sentence> terms[] = {
      {"statistics", /*say*/ "the statistics"},  {"initialisation", /*say*/ "the initialisation"},
      {"by_tensor.Q", sim::Sentence::name("Q")}, {"by_tensor.K", sim::Sentence::name("K")},
      {"by_tensor.V", sim::Sentence::name("V")}, {"by_tensor.O", sim::Sentence::name("O")}};
  for (const auto& [term, named] : terms) {
    try {
      const double part = facts.value(sim::text("tile_traffic.", term)) * answer / facts.value("tile_traffic.total");
      if (part <= 0 || std::abs(answer - part - given) > 1e-9 * answer) continue;
      return {/*say*/ "This is missing: {}.", sim::Sentence(/*say*/ "the traffic of {}", named)};
    } catch (const sim::Error&) {
      continue;  // the run has no such tensor
    }
  }
  return {};
}

/// Explains the ratio of an answer in `unit` to the right one. The counting of reads and writes is considered only for
/// traffic.
sim::Sentence by_ratio(double ratio, string_view unit, bool is_traffic, const sim::Plan& plan) {
  const bool bytes = unit.find("bytes") != string_view::npos;
  if (!bytes && unit != "flops") return {};
  const auto is = [&](double expected) { return expected != 1 && std::abs(ratio - expected) <= 1e-6 * expected; };
  const auto heads = static_cast<double>(plan.problem.shape.heads),
             batch = static_cast<double>(plan.problem.shape.batch);
  const auto e = static_cast<double>(sim::size_of(plan.problem.dtype));
  if (bytes && is(1 / e)) return /*say*/ "These are elements; an element takes several bytes.";
  if (bytes && is_traffic && is(2))
    return /*say*/ "Twice as much: are reads and writes counted twice, or elements for bytes?";
  if (bytes && is_traffic && is(0.5)) return /*say*/ "Half of it: are the writes there, as well as the reads?";
  if (is(1 / (heads * batch))) return /*say*/ "This is one head of one batch entry; the run has more.";
  if (is(1 / heads) || is(heads)) return /*say*/ "Off by the number of heads.";
  if (is(1 / batch) || is(batch)) return /*say*/ "Off by the number of batch entries.";
  for (const double power : {1.024, 1.024 * 1.024, 1.024 * 1.024 * 1.024}) {
    const bool binary = std::abs(ratio * power - 1) < 1e-3 || std::abs(ratio / power - 1) < 1e-3;
    if (bytes && binary) return /*say*/ "1,024 for 1,000, or the reverse: kB are 1,000 bytes, KiB 1,024.";
  }
  return {};
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

std::vector<TypedNumber> read_numbers(string_view typed, string_view unit) {
  const std::size_t end = end_of_number(typed);
  if (end == 0) refuse(typed);
  const string_view suffix = sim::trimmed(typed.substr(end));
  const double factor = factor_of(suffix, unit);
  const std::vector<string> known = suffixes_of(unit);
  require_clear(factor > 0 || !known.empty(), answer_errors::no_unit, sim::quoted(suffix));
  require_clear(factor > 0, answer_errors::other_unit, sim::quoted(suffix), sim::joined(known));
  std::vector<TypedNumber> numbers;
  for (const string& number : meanings_of(sim::trimmed(typed.substr(0, end))))
    numbers.push_back({calculated(number, typed) * factor, half_digit_of(number) * factor, !suffix.empty()});
  if (numbers.empty()) refuse(typed);
  return numbers;
}

TypedNumber read_number(string_view typed, string_view unit) { return read_numbers(typed, unit).front(); }

string typed_number(const Facts::Quantity& quantity) {
  if (quantity.unit == "percent") return digits_of(quantity.value * 100) + " %";
  return digits_of(quantity.value) + (quantity.unit == "kibibytes" ? " B" : "");
}

Verdict mark_number(const Question& question, const Scene& scene, string_view answer) {
  const Facts& facts = scene.facts();
  const Facts::Quantity right = facts.quantity(question.answer);
  const std::vector<TypedNumber> meanings = read_numbers(answer, right.unit);
  const auto is_right = [&](const TypedNumber& number) { return agrees(number, right.value, question.tolerance); };
  const auto meant = std::find_if(meanings.begin(), meanings.end(), is_right);
  const TypedNumber given = meant == meanings.end() ? meanings.front() : *meant;
  require_no_range(answer, given, right.unit);
  Verdict verdict{.right = is_right(given),
                  .given = written_exactly(given.value, right.unit),
                  .expected = written_exactly(right.value, right.unit)};
  if (verdict.right) return verdict;
  verdict.ratio = right.value == 0 ? 0 : given.value / right.value;
  for (const Wrong& wrong : question.wrong) {
    if (!agrees(given, facts.quantity(wrong.when).value, question.tolerance)) continue;
    verdict.why = wrong.why;
    return verdict;
  }
  require_unit(answer, given, right, question.tolerance);
  const bool is_traffic = question.answer.find("traffic") != string::npos;
  verdict.reason = missing_term(question, facts, given.value, right.value);
  if (verdict.reason.empty()) verdict.reason = by_ratio(verdict.ratio, right.unit, is_traffic, scene.run().plan);
  return verdict;
}

}  // namespace lessons
