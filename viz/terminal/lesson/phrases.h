// Phrases of the lesson player itself, in both languages.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lessons/marking.h"
#include "lessons/page.h"

namespace terminal {

/// The phrase in a language, found by its English text. Throws sim::Error if it has no row in phrases.cpp.
std::string phrase(lessons::Language language, std::string_view english);

/// Like phrase() above, with numbers replacing each "{}".
std::string phrase(lessons::Language language, std::string_view english, const std::vector<std::size_t>& numbers);

/// Separator between two phrases of a sentence: empty in Chinese.
std::string gap(lessons::Language language);

/// Diagnosis of a wrong number from its ratio to the right one; "" if there is none.
std::string diagnosis_text(lessons::Language language, const lessons::Verdict& verdict);

/// Instructions for answering a question: "a number, with or without a unit: 2.5 MB, 3*1024"; for a goal with the
/// current values of its options.
std::string how_to_answer(lessons::Language language, const lessons::Question& question, const lessons::Scene& scene);

}  // namespace terminal
