// Layout of the first view: a pure function of the window's size. The film at the left and the doors at the right; in
// narrow windows the doors below it, side by side or stacked. What exceeds the window scrolls.
#pragma once
#include "viz/ui/race_layout.h"

namespace ui {

/// Rectangles in device pixels; empty if not shown.
struct FirstLayout {
  float scale = 1;
  Rect window;
  Rect title, actions, field;  ///< the top bar; they do not scroll
  Rect page;                   ///< the part of the window that scrolls
  float height = 0;            ///< of what is in it
  Rect film;                   ///< the card of the film; its parts follow
  Rect headline, sentence, tags, captions;
  std::vector<RaceCard> runs;  ///< `counters`: bytes and why, beside the lanes
  Rect bytes, ticks, plot, transport;
  Rect results;  ///< rows of the search; empty: in front of the page, while the user types
  Rect learn, ask, build;
};

/// Makes the layout for `runs` runs. `scrolled`: device pixels that the page is moved up by.
FirstLayout make_first_layout(float width, float height, float dpr, std::size_t runs, float scrolled);

}  // namespace ui
