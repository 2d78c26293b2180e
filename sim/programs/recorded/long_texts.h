// Texts of many lines in TOML: NAME = """ ... """. They are taken out before the TOML is read, since toml++ 3.3 asks of
// their characters beyond ASCII whether they are spaces.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sim::recorded {

/// TOML in which each long text is a short one, "@0", "@1" ..., with as many lines as before.
struct WithoutLongTexts {
  std::string toml;
  std::vector<std::string> texts;
};

/// A text begins with """ at the end of a line and ends at the next """. Throws Error where it does not end, and for
/// escapes that TOML does not have.
WithoutLongTexts take_out_long_texts(std::string_view toml, const std::string& origin);

}  // namespace sim::recorded
