// The language of a look as lessons name it.
#pragma once
#include "lessons/page.h"
#include "viz/model/look.h"

namespace explorer {

inline lessons::Language lesson_language(Language language) {
  return language == Language::zh ? lessons::Language::zh : lessons::Language::en;
}

}  // namespace explorer
