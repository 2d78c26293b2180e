// Where everything is while whole runs race: a pure function of the window's size. A card for each run, slowest first
// as the user ordered them, one axis of time through all of them, and what they share below.
#pragma once
#include <vector>

#include "viz/ui/layout.h"

namespace ui {

/// The places of one run. What is not shown is empty; all lanes have the same left and right edges.
struct RaceCard {
  Rect card;
  Rect words;               ///< name, clock, ratio
  Rect names, lanes, busy;  ///< kernels and the finish; SMs; how many of them work
  Rect counters, links;
  bool words_above = false;  ///< in one row over the lanes, where the window is narrow
};

struct RaceLayout {
  float scale = 1;
  Rect window;
  Rect title, controls, actions;  ///< as in Layout
  Rect bar;                       ///< what the playheads have in common, what plays, and which runs there are
  std::vector<RaceCard> cards;
  Rect foot;  ///< the card below, with what follows
  Rect transport, legend, ticks, plot, totals;
};

/// The layout for `runs` runs. Throws sim::Error below the smallest sizes of ui/layout.h.
RaceLayout make_race_layout(float width, float height, float dpr, std::size_t runs);
/// The layout beside a lesson: below the top bar of a stage, in its window; without the bar that takes runs away.
RaceLayout make_race_layout(const Layout& stage, std::size_t runs);

}  // namespace ui
