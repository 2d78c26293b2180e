// Lesson state of the learner.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "viz/model/covered.h"

namespace explorer {

struct LessonState {
  bool teaches = false;                                   ///< true if there is a lesson panel to open
  std::string notebook;                                   ///< as lessons/notebook.h writes it; empty for a new one
  std::function<void(const std::string&)> keep_notebook;  ///< stores each new notebook; may be empty
  std::string unlocked;    ///< while a goal is tried: the options that may be changed, with commas; empty: all
  Covered covered;         ///< answer of the open question
  bool handout = false;    ///< show only the picture of a lesson's step, without the answer of any of its questions
  bool asks_tile = false;  ///< a click on the matrix answers a question, and does not navigate
  std::optional<std::pair<std::int64_t, std::int64_t>> clicked_tile;  ///< row block and column block of that answer
  bool opens_lesson = false;  ///< the link names a lesson but no scenario: the panel opens the step, and clears this
  bool opens_tour = false;    ///< the link opens the tour but names no scenario: the tour sets that of its step
};

}  // namespace explorer
