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

}  // namespace explorer
