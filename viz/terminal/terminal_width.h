// Fits texts into the width of a terminal: sentences wrap between words, and tables that are too wide become lists.
#pragma once
#include <cstddef>
#include <string>

#include "viz/terminal/arguments.h"

namespace terminal {

/// Returns the text in lines of at most `columns`: a sentence breaks between words and keeps its indentation, and each
/// row of a wider table (a header above a rule of dashes) becomes its first cell with a line for each other cell below
/// it. Other lines, such as code, stay as they are.
std::string fitted(const std::string& text, std::size_t columns);

/// Returns true if the output of a command is text for people: a table rather than a format for programs.
bool is_for_people(const CommandSyntax& syntax, const Arguments& arguments);

/// Width of the terminal behind a file descriptor, at least 40; 0 if there is none.
std::size_t terminal_columns(int descriptor);

}  // namespace terminal
