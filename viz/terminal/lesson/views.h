// Views of a step of a lesson in a terminal, of its run: tiles, values on the chip, bytes per tensor.
#pragma once
#include <set>
#include <string>

#include "viz/terminal/lesson/pages.h"

namespace terminal {

/// The views of a step, below its text. What the questions ask for that are not in `answered`, which has their names,
/// or "step/question" for those of later steps, is covered.
std::string views_text(const StepPage& step, const PageStyle& style, const std::set<std::string>& answered);

}  // namespace terminal
