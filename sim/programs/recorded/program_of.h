// A recording as a program of the catalogue, and those that are loaded.
#pragma once
#include "sim/programs/recorded/recording.h"

namespace sim::recorded {

/// The program of a recording, which it owns.
std::shared_ptr<const Program> program_of(Recording recording);

/// A program of the catalog or a variant; null where neither has the name.
std::shared_ptr<const Program> find_built_in(std::string_view name);
std::vector<std::string> built_in_names();

}  // namespace sim::recorded
