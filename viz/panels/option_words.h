// Where the options of a scenario stand on screen; the words are those of their table.
#pragma once
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"

namespace explorer {

/// Options that belong together.
struct OptionGroup {
  std::string_view title;
  std::vector<const sim::ScenarioOption*> options;
};

/// Every option of a scenario once, in the order of the screen.
const std::vector<OptionGroup>& option_groups();

/// What an algorithm is called where room is scarce: "Flash-2".
std::string_view short_name(std::string_view algorithm);

}  // namespace explorer
