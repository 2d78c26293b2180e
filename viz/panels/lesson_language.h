// The language of a look as lessons name it: that which is spoken.
#pragma once
#include "lessons/page.h"
#include "viz/words/languages.h"

namespace explorer {

inline lessons::Language lesson_language(Language language) {
  return language == Language::zh && words::speaks(language) ? lessons::Language::zh : lessons::Language::en;
}

}  // namespace explorer
