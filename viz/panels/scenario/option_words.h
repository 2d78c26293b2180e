// Order of the options of a scenario on screen; their texts are in the table of options.
#pragma once
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"

namespace explorer {

/// Options under one title.
struct OptionGroup {
  std::string_view title;
  std::vector<const sim::ScenarioOption*> options;
};

/// Groups with every option of a scenario once, in the order of the screen.
const std::vector<OptionGroup>& option_groups();

}  // namespace explorer
