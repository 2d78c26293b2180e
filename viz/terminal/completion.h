// Shell completions of the command line, generated from the rows of its help.
#pragma once
#include <string>
#include <vector>

namespace terminal {

/// Shells with a completion: bash, zsh, fish.
const std::vector<std::string>& completed_shells();

/// A script that completes the commands, options and words of flashscope. Throws Error for another shell.
std::string completion_script(const std::string& shell);

}  // namespace terminal
