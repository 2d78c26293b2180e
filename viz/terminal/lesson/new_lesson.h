// flashscope lesson new DIR: a lesson that holds, to be changed.
#pragma once
#include <string>

namespace terminal {

/// Writes lesson.toml, en.md and zh.md into a new folder NN-slug. Throws sim::Error where it exists or has another
/// name. Returns the exit code.
int make_new_lesson(const std::string& folder);

}  // namespace terminal
