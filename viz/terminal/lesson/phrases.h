// What the player of lessons says itself, in both languages.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lessons/marking.h"
#include "lessons/page.h"

namespace terminal {

/// The phrase in a language, known by its English words. Throws sim::Error for one that has no row in phrases.cpp.
std::string phrase(lessons::Language language, std::string_view english);

/// The same with numbers in the place of each "{}".
std::string phrase(lessons::Language language, std::string_view english, const std::vector<std::size_t>& numbers);

/// What stands between two phrases of a sentence: nothing in Chinese.
std::string gap(lessons::Language language);

/// What a wrong number says by its ratio to the right one; "" for nothing.
std::string diagnosis_text(lessons::Language language, const lessons::Verdict& verdict);

/// How a question is answered: "a number, with or without a unit: 2.5 MB, 3*1024"; a goal with the values that its
/// options have now.
std::string how_to_answer(lessons::Language language, const lessons::Question& question, const lessons::Scene& scene);

}  // namespace terminal
