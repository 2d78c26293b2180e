// Completions of the command line for shells, made of the same rows as its help.
#pragma once
#include <string>
#include <vector>

namespace terminal {

/// The shells that have one: bash, zsh, fish.
const std::vector<std::string>& completed_shells();

/// A script that teaches the shell the commands, options and words of flashscope. Error for another shell.
std::string completion_script(const std::string& shell);

}  // namespace terminal
