// Names of formulas, so that a lesson writes each of them once:
//
//   [names]                                        in lesson.toml, or names = { ... } in a step
//   Tc = "ceil(scenario.seqlen / scenario.bc)"
//
//   Tc      in a formula, of lesson.toml or in braces of a text, stands for it
//   two Tc  of another run: all paths of Tc are read from `two`, except those for which it names a run itself
//
// Names are replaced when a lesson is read: all other code sees plain formulas.
#pragma once
#include <string>
#include <string_view>

#include "lessons/lesson.h"
#include "lessons/page.h"

namespace lessons {

/// Replaces the names in all formulas of a lesson. Throws sim::Error with file and line if a name has a wrong form, has
/// another meaning in formulas, or uses a name that is not defined before it.
void expand_names(Lesson& lesson, const std::string& file);

/// Replaces the names in the texts of a lesson. Marks as used those that occur.
void expand_names(Lesson& lesson, Words& words);

/// Returns a formula of a step with its names replaced.
std::string expanded(Lesson& lesson, Step& step, std::string_view formula);

}  // namespace lessons
