// Finds the numbers in a text that reveal the answer of a question.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lessons/facts.h"
#include "lessons/lesson.h"

namespace lessons {

/// Byte ranges of a text: start and end.
using Spans = std::vector<std::pair<std::size_t, std::size_t>>;

/// Finds the numbers that reveal `answer`: in its unit within `tolerance` (a fraction of it), or rounded to three
/// digits or more at any power of ten or of 1,024, with any unit. A short answer such as "8" or "4.0 x" is found only
/// with its unit: "8" alone could be anything.
Spans telling_numbers(std::string_view text, const Facts::Quantity& answer, double tolerance);

/// Replaces the numbers in a text that reveal the answer of a number question by "?".
std::string without_answer(std::string text, const Question& question, const Facts& facts);

}  // namespace lessons
