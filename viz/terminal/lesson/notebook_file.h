// The learner's notebook on this machine: notebook.json in the state folder, replaced as a whole.
#pragma once
#include <filesystem>

#include "lessons/notebook.h"

namespace terminal {

/// $XDG_STATE_HOME/flashscope/notebook.json, else ~/.local/state/flashscope/notebook.json; empty if neither variable is
/// set.
std::filesystem::path notebook_path();

/// Loads the notebook; empty if there is none. One with damaged contents is renamed to notebook.json.unreadable-N, with
/// a warning, and never deleted. Throws sim::FileError, and leaves the file, if the system does not let it be read.
lessons::Notebook load_notebook(const std::filesystem::path& path);

/// As load_notebook(), but a damaged notebook stays where it is.
lessons::Notebook peek_notebook(const std::filesystem::path& path);

/// Replaces the file as a whole. An error is only a warning, since the lesson can continue. True if it was saved.
bool save_notebook(const lessons::Notebook& notebook, const std::filesystem::path& path);

/// Adds the changes of `mine` since `before` to the file, keeping the answers of other sessions; a lock on its folder
/// serialises them. Otherwise like save_notebook(), with a warning if the file now belongs to another student.
bool add_to_notebook(const lessons::Notebook& mine, const lessons::Notebook& before, const std::filesystem::path& path);

}  // namespace terminal
