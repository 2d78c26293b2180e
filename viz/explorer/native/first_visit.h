// Whether somebody opens the window for the first time.
#pragma once
#include <filesystem>

namespace explorer {

/// Where programs of the desktop remember such things: $XDG_STATE_HOME/flashscope, ~/.local/state/flashscope without
/// it; empty where neither is known.
std::filesystem::path state_folder();

/// True once: leaves a file "visited" in the folder. False as well where it cannot be written, so that nobody is
/// welcomed each time.
bool first_visit(const std::filesystem::path& folder);

}  // namespace explorer
