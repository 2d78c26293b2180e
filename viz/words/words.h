// Texts of the explorer in its languages. The English sentence is the key; translations are stored in
// viz/words/<language>/*.txt, an English line followed by its translation, indented by two spaces. tests/words_test.py
// checks that every sentence of the sources has one.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "sim/base/sentence.h"
#include "viz/words/language.h"

namespace words {

/// A sentence in a language; in English if there is no translation. O(log sentences).
std::string_view say(Language language, std::string_view english);

/// Inserts a space between Chinese characters and adjacent letters or digits: a value may begin with either.
std::string spaced(std::string_view text);

/// Like say(), with values in its fields {}: say_with(zh, "{} of {} tiles", 3, 16).
template <class... Values>
std::string say_with(Language language, std::string_view english, const Values&... values) {
  std::string text = fmt::format(fmt::runtime(say(language, english)), values...);
  return language == Language::zh ? spaced(text) : text;
}

/// Translates a sentence of the simulator, such as an error, and those of its values that have a translation.
std::string translate(Language language, const sim::Sentence& sentence);

}  // namespace words
