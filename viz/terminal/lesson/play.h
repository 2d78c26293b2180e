// A lesson as the commands lesson and tour play it: with the notebook of this user, in the signs that the terminal has.
#pragma once
#include "viz/terminal/lesson/shelf.h"

namespace terminal {

/// --lang; English without it.
lessons::Language language_of(const Arguments& arguments);

/// In a terminal it asks; into a pipe it prints all, or the step of --step alone. Returns the exit code.
int play_or_print(const Shelf& shelf, lessons::WrittenLesson written, const Arguments& arguments);

}  // namespace terminal
