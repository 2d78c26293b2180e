// The state of the explorer: plain data, equal by value. Its text is the link; undo, tests and saved files use
// nothing else.
#pragma once
#include <optional>

#include "sim/catalogue/options.h"
#include "viz/model/deep_link.h"
#include "viz/model/lesson/work.h"
#include "viz/model/look.h"

namespace explorer {

/// A moment of the run: a time in one CTA of one kernel.
using Place = Bookmark;

/// Position of a block of a pattern.
struct BlockPlace {
  std::int64_t row = 0, col = 0;
  friend bool operator==(BlockPlace, BlockPlace) = default;
};

/// The brush that paints a pattern.
struct Brush {
  BlockPlace block;            ///< under the pointer, or at the keyboard cursor
  std::optional<bool> stroke;  ///< while the button is down: true if the stroke shows the blocks that it crosses
  friend bool operator==(const Brush&, const Brush&) = default;
};

struct Palette {
  std::string typed;
  int chosen = 0;  ///< the line that Enter runs
  friend bool operator==(const Palette&, const Palette&) = default;
};

/// The first view, except that it is open: that is in the link.
struct FirstView {
  std::string behind;  ///< link to return to; empty: the default scenario
  double stood = 0;    ///< seconds at the end of the film
  bool again = false;  ///< the film plays once more
  friend bool operator==(const FirstView&, const FirstView&) = default;
};

struct State {
  sim::OptionValues options;               ///< of the scenario
  std::vector<sim::OptionValues> changes;  ///< of the compared runs, to the first one's options
  Place place;
  double speed = 1;  ///< of playback
  Look look;
  // Not in the link: the notebook keeps the answers, and the rest ends with the window.
  LessonWork lesson;
  Palette palette;
  Brush brush;
  FirstView first_view;
  friend bool operator==(const State&, const State&) = default;

  /// True if runs are named to be compared: a ragged batch has its packings next to it without.
  bool compares() const { return !changes.empty(); }
  /// True if whole runs fill the window and no CTA is shown; a lesson shows one next to them.
  bool races() const { return look.play == Play::run && look.lesson.empty(); }
  /// True if the clock is that of whole runs, as always in the view of a batch: microseconds since the first launch, to
  /// the end of the slowest run.
  bool plays_run() const { return look.play == Play::run || look.center == Center::batch; }
};

/// The state as a link, without its pattern if it were too long.
std::string link_of(const State& state);

}  // namespace explorer
