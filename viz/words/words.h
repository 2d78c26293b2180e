// What the explorer says, in the languages that it speaks. The English sentence is the name of what is said; the other
// languages stand in viz/words/<language>/*.txt, an English line followed by its translation, indented by two spaces.
// tests/words_test.py holds every sentence of the sources to them.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "sim/base/sentence.h"
#include "viz/model/look.h"

namespace words {

/// A sentence in a language; the English one where there is no translation. O(log sentences).
std::string_view say(explorer::Language language, std::string_view english);

/// Puts a space between Chinese characters and letters or digits that meet: a value may begin with either.
std::string spaced(std::string_view text);

/// The same with values in its places {}: say_with(zh, "{} of {} tiles", 3, 16).
template <class... Values>
std::string say_with(explorer::Language language, std::string_view english, const Values&... values) {
  std::string text = fmt::format(fmt::runtime(say(language, english)), values...);
  return language == explorer::Language::zh ? spaced(text) : text;
}

/// A sentence of the simulator, and those among its values that have a translation.
std::string translate(explorer::Language language, const sim::Sentence& sentence);

/// A message of the simulator, such as why tiles do not fit; as it is where its words are not known.
std::string translate_message(explorer::Language language, std::string_view english);

}  // namespace words
