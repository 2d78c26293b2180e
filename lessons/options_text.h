// Scenarios as lessons write them: the scenario keys of a link, "algorithm=flash1&seqlen=4".
#pragma once
#include <string>
#include <string_view>

#include "sim/catalogue/options.h"

namespace lessons {

/// Reads "name=value&flag"; a key without a value is "1". Throws sim::Error for a key that is unknown or stands there
/// twice; what values mean is read with the scenario.
sim::OptionValues read_options(std::string_view text);

/// The reverse, in the order of names.
std::string text_of(const sim::OptionValues& options);

/// `options` with `changes`: an option that stands for others takes theirs back, so that the newer one counts.
sim::OptionValues changed(sim::OptionValues options, const sim::OptionValues& changes);

}  // namespace lessons
