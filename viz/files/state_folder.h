// Folder for a program's persistent state of a user.
#pragma once
#include <filesystem>

namespace files {

/// $XDG_STATE_HOME/flashscope, else ~/.local/state/flashscope; empty if neither variable is set.
std::filesystem::path state_folder();

}  // namespace files
