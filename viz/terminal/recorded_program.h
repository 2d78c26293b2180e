// --program FILE.fscope: a program recorded in Python, for the commands that replay one.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

CommandOption program_option();

/// Positional word of `explore`: such a file.
inline constexpr const char* program_word = "FILE.fscope";

/// Loads the file named by the arguments, if any. It becomes the algorithm unless one is named; commands that take
/// several find its name in Arguments::program.
void load_program_of(const CommandSyntax& syntax, Arguments& arguments);

/// Throws Error for --program if the command does not take it; the error names commands that do.
void refuse_program(const CommandSyntax& syntax, std::string_view word);

}  // namespace terminal
