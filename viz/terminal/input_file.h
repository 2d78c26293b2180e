// Files that a command reads, recorded as its inputs: an output may not overwrite them.
#pragma once
#include "viz/results/input_file.h"

namespace terminal {

/// See results::check_input.
void check_input(const std::string& option, const std::string& path, std::int64_t limit);

/// See results::check_pattern_file.
void check_pattern_file(const sim::OptionValues& values);

/// See results::expand_model_file.
void expand_model_file(sim::OptionValues& options, std::vector<std::string>& notes);

/// See results::read_text.
std::string read_text(const std::string& option, const std::string& path, std::int64_t limit);

/// A built-in device by name, or a file ending in .toml.
std::shared_ptr<const sim::DeviceSpec> find_gpu(const std::string& name);

/// Functions with which a sweep reads files.
inline results::OptionFiles option_files() { return {find_gpu, check_pattern_file, expand_model_file}; }

}  // namespace terminal
