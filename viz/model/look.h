// How a run is shown: colours, language, what is in front, what is explained. Every field is a key of the link.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/check.h"

namespace explorer {

enum class Theme { dark, light };
enum class Language { en, zh };

/// What the playheads of compared runs have in common: microseconds since their CTAs began, bytes that these have moved
/// across the SRAM boundary, or tiles that they have begun (with begin and end of each CTA).
enum class Sync { time, bytes, step };

struct Look {
  Theme theme = Theme::dark;
  Language language = Language::en;
  std::string tab = "matrix";     ///< the panel that is shown on narrow screens
  std::string center = "matrix";  ///< what stands in the middle: matrix, tiles, plots, verification
  std::string selection;          ///< the number that is explained, as a JSON path; empty for none
  Sync sync = Sync::time;
  int pane = 0;          ///< which of the compared runs is in front where they take turns
  bool source = false;   ///< the listing shows C++ instead of equations
  bool options = false;  ///< all options of the scenario are open
};

/// One field as a key of the link.
struct LookField {
  std::string_view name, values, help;
  std::string (*text)(const Look&);
  bool (*set)(Look&, const std::string& value);  ///< false: the value makes no sense, and nothing changed
};

/// One line per field; adding a field of Look means adding one here.
const std::vector<LookField>& look_fields();

}  // namespace explorer
