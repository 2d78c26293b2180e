// Scenarios in the notation of lessons: the scenario keys of a link, "algorithm=flash1&seqlen=4".
#pragma once
#include <string>
#include <string_view>

#include "sim/catalogue/options.h"

namespace lessons {

/// Reads "name=value&flag"; a key without a value is "1". Throws sim::Error for an unknown or repeated key; the meaning
/// of values is checked when the scenario is read.
sim::OptionValues read_options(std::string_view text);

/// Reads changes of a scenario: as read_options(), and "name=" unsets an option.
sim::OptionValues read_changes(std::string_view text);

/// Formats options in the order of their names: the inverse of read_options().
std::string text_of(const sim::OptionValues& options);

/// Returns `options` with `changes`; an empty value unsets an option. An option that sets others removes their old
/// values, so that the newer one counts.
sim::OptionValues changed(sim::OptionValues options, const sim::OptionValues& changes);

}  // namespace lessons
