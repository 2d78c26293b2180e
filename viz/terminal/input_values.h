// Files of Q, K, V and dO: reading them, and what is said of the values in them.
#pragma once
#include "viz/terminal/request.h"

namespace terminal {

inline constexpr std::array<const char*, 4> input_names = {"input-q", "input-k", "input-v", "input-do"};

/// Is input n read? dO is an input of a backward pass only.
inline bool is_input(std::size_t n, sim::Pass pass) { return n < 3 || pass != sim::Pass::forward; }

/// The array of a file. Throws sim::Error that begins with the option's name.
sim::NpyArray read_input(const char* option, const std::string& path);

/// Which inputs are drawn, which lose digits in the dtype of the run, and which values become infinite in it, or are
/// NaN or infinite in their file.
std::vector<std::string> input_warnings(const Request& request);

}  // namespace terminal
