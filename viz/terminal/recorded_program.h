// --program FILE.fscope: a program that was recorded in Python, for the commands that replay one.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

OwnOption program_option();

/// The word of `explore`, which is such a file.
inline constexpr const char* program_word = "FILE.fscope";

/// Loads the file that the arguments name, if any. The algorithm is then this program, unless one is named; commands
/// that take several find its name in Arguments::program.
void load_program_of(const CommandSyntax& syntax, Arguments& arguments);

/// Throws Error for --program where a command cannot take one, with what can.
void refuse_program(const CommandSyntax& syntax, std::string_view word);

}  // namespace terminal
