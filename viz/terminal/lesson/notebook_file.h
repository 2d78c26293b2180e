// The learner's notebook on this machine: notebook.json in the state folder, replaced as a whole.
#pragma once
#include <filesystem>

#include "lessons/notebook.h"

namespace terminal {

/// $XDG_STATE_HOME/flashscope/notebook.json, else ~/.local/state/flashscope/notebook.json; empty where there is
/// neither.
std::filesystem::path notebook_path();

/// Empty where there is none. One that cannot be read is renamed to notebook.json.unreadable-N and never deleted: a
/// warning says so.
lessons::Notebook load_notebook(const std::filesystem::path& path);

/// Reads it for who only looks: one that cannot be read stays where it is, and counts as empty.
lessons::Notebook peek_notebook(const std::filesystem::path& path);

/// Replaces the file as a whole; what is wrong is a warning, since a lesson goes on without. Returns whether it is
/// kept.
bool save_notebook(const lessons::Notebook& notebook, const std::filesystem::path& path);

/// Adds what changed in `mine` since `before` to the file, whose answers of other sessions stay; a lock on its folder
/// makes sessions wait for each other. As save_notebook, and a warning if the file is another student's by now.
bool add_to_notebook(const lessons::Notebook& mine, const lessons::Notebook& before, const std::filesystem::path& path);

/// A regular file of at most `most` bytes. Throws sim::Error with the system's reason.
std::string read_text_file(const std::filesystem::path& path, std::size_t most);

}  // namespace terminal
