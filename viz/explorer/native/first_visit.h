// Detects the first time that a user opens the window.
#pragma once
#include <filesystem>

namespace explorer {

/// True once: leaves a file "visited" in the folder. False if it cannot be written: no welcome each time.
bool first_visit(const std::filesystem::path& folder);

}  // namespace explorer
