// The numbers in a text that tell the answer of a question.
#pragma once
#include "lessons/facts.h"
#include "viz/model/covered.h"

namespace explorer {

/// Finds the numbers that say `answer`: in its unit within `tolerance`, a part of it, or rounded to three digits or
/// more in any power of ten or of 1,024, whatever unit follows. A short answer such as "8" or "4.0 x" is found only
/// with a unit of its own: "8" alone may be anything.
Covered::Spans telling_numbers(std::string_view text, const lessons::Facts::Quantity& answer, double tolerance);

/// True if an answer has three digits or more as it is written.
bool is_long(const lessons::Facts::Quantity& answer);

}  // namespace explorer
