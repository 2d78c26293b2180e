// The languages of the explorer.
#pragma once

namespace words {

enum class Language { en, zh };

}  // namespace words
