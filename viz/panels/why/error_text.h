// Errors of the simulator in the terms of the window.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Translates an error: without the line of a program, and with the window's names: "Br" instead of "--br", "H100 SXM"
/// instead of "h100-sxm".
std::string error_in_words(const View& view, const sim::Sentence& error);

/// Name of an option in the window.
std::string option_in_words(const View& view, const sim::ScenarioOption& option);

}  // namespace explorer
