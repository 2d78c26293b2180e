// An error of the simulator in the words of the window.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Without the line of a program and the command line's names: "Br" instead of "--br", "H100 SXM" instead of
/// "h100-sxm".
std::string error_in_words(const View& view, std::string_view error);

/// The option's name in the window.
std::string option_in_words(const View& view, const sim::ScenarioOption& option);

}  // namespace explorer
