// The learner's work in the open step of a lesson, a part of the state: text typed, tries, hints and answers shown.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lessons/flow.h"
#include "sim/catalogue/options.h"
#include "viz/model/look.h"

namespace explorer {

/// A question, during and after answering: the attempt, and what is in its fields.
struct Trying : lessons::Attempt {
  std::string typed;               ///< an answer as lessons::mark() reads it
  std::string unit;                ///< unit chosen for a number typed without one; empty for the question's
  std::vector<std::size_t> order;  ///< lines clicked for an order: positions as shown, from 0
  bool asks = false;               ///< Enter without an answer: a second Enter shows the answer
  bool again = false;              ///< asked again: the notebook keeps the earlier answer
  friend bool operator==(const Trying&, const Trying&) = default;
};

/// The panel in front in a narrow window.
struct Front {
  Tab tab;
  Center center;
  friend bool operator==(const Front&, const Front&) = default;
};

inline constexpr std::size_t last_part = static_cast<std::size_t>(-1);

struct LessonWork {
  std::string of;                                    ///< the step that it belongs to; empty before the first
  std::map<std::string, Trying, std::less<>> tries;  ///< by question
  sim::OptionValues draft;                           ///< options chosen in free play but not run yet
  std::size_t part = 0;                              ///< first part of the step on the page presented
  std::string chosen;                                ///< place of the word clicked last; empty if none
  bool drawn_up = false;                             ///< the panel is drawn up over the picture, if it is a sheet
  std::string asked;                                 ///< the question that the front panel was chosen for
  std::optional<Front> hidden, shown;                ///< the panel hidden for that question, and its replacement
  friend bool operator==(const LessonWork&, const LessonWork&) = default;
};

}  // namespace explorer
