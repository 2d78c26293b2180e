// Plays a lesson: in a terminal step by step, marking and saving answers in the notebook; into a pipe all at once.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "lessons/notebook.h"
#include "viz/terminal/lesson/lesson_library.h"
#include "viz/terminal/lesson/pages.h"

namespace terminal {

/// Prints every step, or only step `one` (counted from 1), with its questions, their answers and explanations.
void print_lesson(const lessons::WrittenLesson& written, const PageStyle& style,
                  const std::function<void(const std::string&)>& write, std::optional<std::size_t> one = {});

/// Input and output of a session. `read` returns an empty optional at the end of the input.
struct SessionPorts {
  std::function<std::optional<std::string>()> read;
  std::function<void(const std::string&)> write;
  std::function<void(const lessons::Notebook&)> save;  ///< after each answer and step
};

/// Plays a lesson from the step at which the learner stopped, or from step `from` (counted from 1). Ends with the
/// lesson, at "q" and at the end of the input.
void play_lesson(const lessons::WrittenLesson& written, lessons::Notebook& notebook, const PageStyle& style,
                 const SessionPorts& ports, std::optional<std::size_t> from = {});

/// Language of --lang; English by default.
lessons::Language language_of(const Arguments& arguments);

/// Plays interactively in a terminal; into a pipe prints all steps, or only that of --step. Returns the exit code.
int play_or_print(const LessonLibrary& library, lessons::WrittenLesson written, const Arguments& arguments);

}  // namespace terminal
