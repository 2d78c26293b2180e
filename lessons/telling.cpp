#include "lessons/telling.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/text.h"

namespace lessons {
namespace {

using sim::is_digit;
using std::string_view;

/// A number in a text: its position, digits, value and unit.
struct Number {
  std::size_t begin = 0, end = 0;
  double value = 0, half_digit = 0;
  std::size_t digits = 0;  ///< without leading zeros
  string_view suffix;      ///< the unit that follows; empty if there is none
};

bool is_group_of_three(string_view text) {
  return text.size() >= 3 && std::all_of(text.begin(), text.begin() + 3, is_digit) &&
         (text.size() == 3 || !is_digit(text[3]));
}

/// Returns the length of the number at the start of a text: digits, commas before groups of three, a decimal point.
std::size_t number_length(string_view text) {
  std::size_t end = 0;
  bool point = false;
  while (end < text.size()) {
    const bool digit_follows = end + 1 < text.size() && is_digit(text[end + 1]);
    if (text[end] == '.' && !point && digit_follows)
      point = true;
    else if (!(text[end] == ',' && !point && is_group_of_three(text.substr(end + 1))) && !is_digit(text[end]))
      break;
    ++end;
  }
  return end;
}

/// Returns the text after a number, up to the next separator; one space may precede it.
string_view suffix_of(string_view rest) {
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  return rest.substr(0, rest.find_first_of(" ,;:.()·\n"));
}

Number number_at(string_view text, std::size_t at) {
  Number number{at, at + number_length(text.substr(at)), 0, 0.5, 0, {}};
  std::string plain;
  for (const char c : text.substr(at, number.end - at)) {
    if (c == ',') continue;
    if (plain.find('.') != std::string::npos) number.half_digit /= 10;
    plain += c;
    if (is_digit(c) && (number.digits > 0 || c != '0')) ++number.digits;
  }
  number.value = std::strtod(plain.c_str(), nullptr);
  number.suffix = suffix_of(text.substr(number.end));
  return number;
}

/// True if a digit is part of a name, such as "fp16" or "Q_10".
bool is_in_name(string_view text, std::size_t at) {
  return at > 0 && (sim::is_letter(text[at - 1]) || is_digit(text[at - 1]) || text[at - 1] == '_');
}

std::size_t digits_in(string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_digit));
}

/// True for 1, 40 or 0.5, whose digit reveals nothing without their magnitude.
bool has_one_digit(double value) {
  if (value <= 0) return true;
  while (value < 1) value *= 10;
  while (value >= 10) value /= 10;
  return std::abs(value - std::round(value)) < 1e-9;
}

/// True if a number has the digits of a value up to its last one, at any power of ten.
bool has_digits_of(double value, const Number& number) {
  double given = number.value, half = number.half_digit;
  if (given <= 0 || value <= 0) return false;
  for (; given < value / 3.2; given *= 10) half *= 10;
  for (; given > value * 3.2; given /= 10) half /= 10;
  return std::abs(given - value) <= half * (1 + 1e-9);
}

/// True if an answer has at least three digits when written out.
bool is_long(const Facts::Quantity& answer) { return digits_in(written_exactly(answer.value, answer.unit)) >= 3; }

bool tells(const Number& number, const Facts::Quantity& answer, double tolerance) {
  const double factor = factor_of(number.suffix, answer.unit), value = answer.value;
  const bool in_its_unit = factor > 0 && !number.suffix.empty(), precise = number.digits >= 3;
  const double allowed =
      std::max({in_its_unit ? tolerance * value : 0, precise ? number.half_digit * factor : 0, 1e-9});
  const bool same = factor > 0 && std::abs(number.value * factor - value) <= allowed;
  if (same && (in_its_unit || (precise && is_long(answer)))) return true;
  if (!precise || !is_long(answer) || has_one_digit(value)) return false;
  constexpr double scales[] = {1, 1024. / 1000, 1024. * 1024 / 1e6, 1024. * 1024 * 1024 / 1e9};
  return std::any_of(std::begin(scales), std::end(scales),
                     [&](double scale) { return has_digits_of(value / scale, number); });
}

}  // namespace

Spans telling_numbers(string_view text, const Facts::Quantity& answer, double tolerance) {
  Spans spans;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at]) || is_in_name(text, at)) {
      ++at;
      continue;
    }
    const Number number = number_at(text, at);
    if (tells(number, answer, tolerance)) spans.emplace_back(number.begin, number.end);
    at = number.end;
  }
  return spans;
}

std::string without_answer(std::string text, const Question& question, const Facts& facts) {
  if (question.kind != QuestionKind::number) return text;
  const Spans spans = telling_numbers(text, facts.quantity(question.answer), question.tolerance);
  for (std::size_t n = spans.size(); n-- > 0;) text.replace(spans[n].first, spans[n].second - spans[n].first, "?");
  return text;
}

}  // namespace lessons
