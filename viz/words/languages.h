// Languages that words.h supports: those compiled in. The page in the browser only has English, and fetches Chinese.
#pragma once
#include <string>

#include "viz/words/language.h"

namespace words {

/// True if say() has the texts of a language.
bool speaks(Language language);

/// Adds Chinese texts at run time: the files of zh/, concatenated.
void learn_chinese(std::string text);

}  // namespace words
