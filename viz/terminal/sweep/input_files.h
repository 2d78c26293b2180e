// Files read by a sweep, besides device files, whose content its rows depend on.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "viz/results/sweep.h"
#include "viz/terminal/arguments.h"

namespace terminal {

/// Identity for a journal: that of the sweep, and in `files` the CRC-32 of a recorded program and of each picture of a
/// pattern, by the path that was given. Without such files, `files` is absent. Throws sim::Error.
nlohmann::ordered_json identity_with_files(const results::Sweep& sweep, const Arguments& arguments);

}  // namespace terminal
