// flashscope lesson new DIR: creates a valid lesson as a starting point.
#pragma once
#include <string>

namespace terminal {

/// Writes lesson.toml, en.md and zh.md into a new folder NN-slug. Throws sim::Error if it exists or has a name of
/// another form. Returns the exit code.
int make_new_lesson(const std::string& folder);

}  // namespace terminal
