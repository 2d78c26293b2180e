// Rule for coloured output, shared by all commands.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

/// Sets the rule from --color.
void choose_colours(const Arguments& arguments);

/// True if the descriptor is a terminal that takes escape codes: TERM is neither empty nor dumb.
bool takes_escapes(int descriptor);

/// True if text on standard output is coloured. --color always and never decide; otherwise it must be a terminal with
/// colours (TERM is neither empty nor dumb), and NO_COLOR unset or empty.
bool colours_wanted();

}  // namespace terminal
