// Where a program keeps what it remembers of a person.
#pragma once
#include <filesystem>

namespace files {

/// $XDG_STATE_HOME/flashscope, else ~/.local/state/flashscope; empty where there is neither.
std::filesystem::path state_folder();

}  // namespace files
