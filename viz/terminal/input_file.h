// Files that a command reads, recorded as its inputs: an output may not overwrite them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "kernels/measurements/recorded.h"
#include "viz/results/input_file.h"
#include "viz/terminal/arguments.h"

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

// --program FILE.fscope: a program recorded in Python, for the commands that replay one.

CommandOption program_option();

/// Positional word of `explore`: such a file.
inline constexpr const char* program_word = "FILE.fscope";

/// Loads the file named by the arguments, if any. It becomes the algorithm unless one is named; commands that take
/// several find its name in Arguments::program.
void load_program_of(const CommandSyntax& syntax, Arguments& arguments);

/// Throws Error for --program if the command does not take it; the error names commands that do.
void refuse_program(const CommandSyntax& syntax, std::string_view word);

// Recordings that a command uses: the built-in ones, then the user's own.

/// The option `--recorded FILE.csv`, repeatable. `more`: continuation of its help.
CommandOption recorded_option(std::string_view more);

/// Files of --recorded, as given.
std::vector<std::string> recorded_files(const Arguments& arguments);

/// The built-in recordings and those files. Throws Error for a file that is not a recording, or not of a GPU.
std::vector<measurements::Recording> all_recordings(const Arguments& arguments);

/// Note on other GPUs: "recorded on h200, t4 as well: --gpu h200 shows it", or "" without GPUs.
std::string elsewhere_note(const std::vector<std::string>& gpus);

}  // namespace terminal
