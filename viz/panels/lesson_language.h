// Language of the lessons for a look: English if the explorer lacks the words of the look's language.
#pragma once
#include "lessons/page.h"
#include "viz/words/languages.h"

namespace explorer {

inline lessons::Language lesson_language(Language language) {
  return language == Language::zh && words::speaks(language) ? lessons::Language::zh : lessons::Language::en;
}

}  // namespace explorer
