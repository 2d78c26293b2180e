// The numbers in a text that tell the answer of a question.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lessons/facts.h"
#include "lessons/lesson.h"

namespace lessons {

/// Where parts of a text begin and end, in bytes.
using Spans = std::vector<std::pair<std::size_t, std::size_t>>;

/// Finds the numbers that say `answer`: in its unit within `tolerance`, a part of it, or rounded to three digits or
/// more in any power of ten or of 1,024, whatever unit follows. A short answer such as "8" or "4.0 x" is found only
/// with a unit of its own: "8" alone may be anything.
Spans telling_numbers(std::string_view text, const Facts::Quantity& answer, double tolerance);

/// Replaces the numbers of a text that tell the answer of a number question with "?".
std::string without_answer(std::string text, const Question& question, const Facts& facts);

}  // namespace lessons
