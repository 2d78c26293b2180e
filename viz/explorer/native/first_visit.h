// Whether somebody opens the window for the first time.
#pragma once
#include <filesystem>

namespace explorer {

/// True once: leaves a file "visited" in the folder. False as well where it cannot be written, so that nobody is
/// welcomed each time.
bool first_visit(const std::filesystem::path& folder);

}  // namespace explorer
