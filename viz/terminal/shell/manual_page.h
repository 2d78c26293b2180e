// The manual page flashscope(1), generated from the rows of the help.
#pragma once
#include <string>

namespace terminal {

/// The page in macros of man(7).
std::string manual_page();

}  // namespace terminal
