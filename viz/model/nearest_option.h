// The possible value of a whole-number option that is nearest to an impossible one.
#pragma once
#include <optional>
#include <string>

#include "sim/catalogue/options.h"

namespace explorer {

/// The option that an error names first, as in "kv-heads is 3: ..."; null if it names none.
const sim::ScenarioOption* option_of_error(std::string_view error);

/// The possible value nearest to that in `options`: tries the nearest 64 on either side, then the largest below. Empty
/// if there is none, or if the option has no whole number here. About 200 plans.
std::optional<std::string> nearest_possible(const sim::OptionValues& options, const sim::ScenarioOption& option,
                                            const sim::GpuLookup& gpu);

}  // namespace explorer
