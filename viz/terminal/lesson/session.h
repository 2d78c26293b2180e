// Playing a lesson: in a terminal step by step, with answers that are marked and kept; into a pipe all at once.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "lessons/notebook.h"
#include "viz/terminal/lesson/pages.h"

namespace terminal {

/// Prints every step, or one (1 is the first), with its questions, their answers and explanations.
void print_lesson(const lessons::WrittenLesson& written, const PageStyle& style,
                  const std::function<void(const std::string&)>& write, std::optional<std::size_t> one = {});

/// What a session talks to. `read` returns nothing at the end of the input.
struct SessionPorts {
  std::function<std::optional<std::string>()> read;
  std::function<void(const std::string&)> write;
  std::function<void(const lessons::Notebook&)> save;  ///< after each answer and step
};

/// Plays a lesson from where the learner stopped, or from step `from` (1 is the first). Ends with the lesson, at "q"
/// and with the input.
void play_lesson(const lessons::WrittenLesson& written, lessons::Notebook& notebook, const PageStyle& style,
                 const SessionPorts& ports, std::optional<std::size_t> from = {});

}  // namespace terminal
