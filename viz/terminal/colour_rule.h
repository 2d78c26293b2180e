// The rule that decides about colours, the same in every command.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

/// Follows --color from now on.
void choose_colours(const Arguments& arguments);

/// True if text on standard output gets colours. --color always and never decide; else it is a terminal that has
/// colours (TERM is neither empty nor dumb), and NO_COLOR is unset or empty.
bool colours_wanted();

}  // namespace terminal
