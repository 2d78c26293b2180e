// State of the learner of the lessons.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "viz/model/covered.h"

namespace explorer {

struct LessonState {
  bool teaches = false;                                   ///< there is a panel of lessons to be opened
  std::string notebook;                                   ///< as lessons/notebook.h writes it; empty for a new one
  std::function<void(const std::string&)> keep_notebook;  ///< takes each new one to where it stays; may be empty
  std::string unlocked;    ///< while a goal is tried: the options that may be changed, with commas; empty for all
  Covered covered;         ///< what the open question asks for
  bool handout = false;    ///< of a lesson's step the picture alone, without what any of its questions asks for
  bool asks_tile = false;  ///< a click on the matrix answers a question, and leads nowhere
  std::optional<std::pair<std::int64_t, std::int64_t>> clicked_tile;  ///< row block and column block of that answer
  bool opens_lesson = false;  ///< the link names a lesson and no scenario: the panel goes to the step, and says false
  bool opens_tour = false;    ///< the link opens the tour and names no scenario: the tour brings that of its step
};

}  // namespace explorer
