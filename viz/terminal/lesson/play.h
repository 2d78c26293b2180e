// Playing a lesson for the commands lesson and tour: with this user's notebook, in the terminal's character set.
#pragma once
#include "viz/terminal/lesson/lesson_library.h"

namespace terminal {

/// Language of --lang; English by default.
lessons::Language language_of(const Arguments& arguments);

/// Plays interactively in a terminal; into a pipe prints all steps, or only that of --step. Returns the exit code.
int play_or_print(const LessonLibrary& library, lessons::WrittenLesson written, const Arguments& arguments);

}  // namespace terminal
