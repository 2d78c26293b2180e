// What the options of a scenario are called on screen, and what they mean, in a few words each.
#pragma once
#include <span>
#include <string_view>

namespace explorer {

struct OptionWords {
  std::string_view option;  ///< of sim::scenario_options()
  std::string_view label, help;
};

/// Options that belong together.
struct OptionGroup {
  std::string_view title;
  std::span<const OptionWords> options;
};

/// Every option of a scenario once, in the order of the screen.
std::span<const OptionGroup> option_groups();

/// What an algorithm is called where room is scarce: "Flash-2".
std::string_view short_name(std::string_view algorithm);

}  // namespace explorer
