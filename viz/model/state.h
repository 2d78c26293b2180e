// The state of the explorer: plain data, equal by value. Its text is the link; undo, tests and saved files use
// nothing else.
#pragma once
#include "sim/catalogue/options.h"
#include "viz/model/deep_link.h"
#include "viz/model/lesson/work.h"
#include "viz/model/look.h"

namespace explorer {

/// A moment of the run: a time in one CTA of one kernel.
using Place = Bookmark;

struct State {
  sim::OptionValues options;               ///< of the scenario
  std::vector<sim::OptionValues> changes;  ///< of the compared runs, to the first one's options
  Place place;
  double speed = 1;  ///< of playback
  Look look;
  LessonWork lesson;  ///< not in the link: the notebook keeps the answers
  friend bool operator==(const State&, const State&) = default;
};

/// The state as a link, without its pattern if it were too long.
std::string link_of(const State& state);

}  // namespace explorer
