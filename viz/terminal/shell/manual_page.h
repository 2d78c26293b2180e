// The manual page flashscope(1), made of the same rows as the help.
#pragma once
#include <string>

namespace terminal {

/// The page in the macros of man(7).
std::string manual_page();

}  // namespace terminal
