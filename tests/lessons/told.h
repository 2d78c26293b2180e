// Tests if a text reveals the answer of a number question, independently of the code that hides it.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "lessons/scene.h"
#include "sim/base/text.h"

namespace told {

/// Returns spellings of the answer without its unit, exact and rounded, that have three digits or more.
inline std::vector<std::string> spellings(const lessons::Scene& scene, const lessons::Question& question) {
  if (question.kind != lessons::QuestionKind::number) return {};
  const lessons::Facts::Quantity answer = scene.facts().quantity(question.answer);
  std::vector<std::string> numbers;
  for (const std::string& text :
       {lessons::written_exactly(answer.value, answer.unit), lessons::written(answer.value, answer.unit)}) {
    const std::string number = text.substr(0, text.find(' '));
    if (std::count_if(number.begin(), number.end(), sim::is_digit) >= 3) numbers.push_back(number);
  }
  return numbers;
}

/// True if a text contains a number as a whole: "1.02" is not in "11.02" or "1.024".
inline bool holds(std::string_view text, std::string_view number) {
  const auto is_mark = [](char c) { return c == '.' || c == ','; };
  for (std::size_t at = 0; (at = text.find(number, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + number.size();
    const char before = at > 0 ? text[at - 1] : ' ', after = end < text.size() ? text[end] : ' ';
    const bool in_name = sim::is_digit(before) || sim::is_letter(before) || before == '_';
    const bool goes_back = is_mark(before) && at > 1 && sim::is_digit(text[at - 2]);
    const bool goes_on = is_mark(after) && end + 1 < text.size() && sim::is_digit(text[end + 1]);
    if (!in_name && !goes_back && !goes_on && !sim::is_digit(after)) return true;
  }
  return false;
}

}  // namespace told
