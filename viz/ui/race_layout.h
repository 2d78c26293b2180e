// Layout of a race of whole runs: a pure function of the window's size. A card per run in the user's order, one axis of
// time through all of them, and a shared footer.
#pragma once
#include <vector>

#include "viz/ui/layout.h"

namespace ui {

/// Rectangles of one run; empty if not shown. All lanes have the same left and right edges.
struct RaceCard {
  Rect card;
  Rect words;               ///< name, clock, ratio
  Rect names, lanes, busy;  ///< kernels and the finish; SMs; number of SMs at work
  Rect counters, links;
  bool words_above = false;  ///< in one row above the lanes, if the window is narrow
};

struct RaceLayout {
  float scale = 1;
  Rect window;
  Rect title, controls, actions;  ///< as in Layout
  Rect bar;                       ///< synchronisation of the playheads, what plays, and the choice of runs
  std::vector<RaceCard> cards;
  Rect footer;  ///< the footer's card; its parts follow
  Rect transport, legend, ticks, plot, totals;
};

/// Makes the layout for `runs` runs. Throws sim::Error below the smallest sizes of ui/layout.h.
RaceLayout make_race_layout(float width, float height, float dpr, std::size_t runs);
/// Makes the layout next to a lesson: below the top bar of a stage, in its window, without the bar that removes runs.
RaceLayout make_race_layout(const Layout& stage, std::size_t runs);

/// Makes the layout of `runs` runs as rows of one card: transport and ticks above them, a legend below.
RaceLayout make_race_rows(Rect card, float scale, std::size_t runs);

}  // namespace ui
