// Multi-line texts in TOML: NAME = """ ... """. They are extracted before the TOML is parsed, because toml++ 3.3 tests
// whether their non-ASCII characters are spaces.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sim::recorded {

/// TOML in which each multi-line text is replaced by a short one, "@0", "@1" ..., with the number of lines unchanged.
struct WithoutLongTexts {
  std::string toml;
  std::vector<std::string> texts;
};

/// Extracts the texts. A text begins with """ at the end of a line and ends at the next """. Throws Error if it does
/// not end, and for escapes that TOML does not have.
WithoutLongTexts take_out_long_texts(std::string_view toml, const std::string& origin);

}  // namespace sim::recorded
