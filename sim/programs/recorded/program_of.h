// Recordings as programs of the catalogue, and the loaded programs.
#pragma once
#include "sim/programs/recorded/recording.h"

namespace sim::recorded {

/// Returns the program of a recording, which it owns.
std::shared_ptr<const Program> program_of(Recording recording);

/// Returns a program of the catalogue or a variant; null if neither has the name.
std::shared_ptr<const Program> find_built_in(std::string_view name);
std::vector<std::string> built_in_names();

}  // namespace sim::recorded
