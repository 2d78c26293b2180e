// Which languages words.h speaks: those that are compiled in. The page in the browser has English alone, and fetches
// Chinese.
#pragma once
#include <string>

#include "viz/model/look.h"

namespace words {

/// Whether say() has the words of a language.
bool speaks(explorer::Language language);

/// Words that came while the program runs: the text of the files of zh/, one behind the other.
void learn_chinese(std::string text);

}  // namespace words
