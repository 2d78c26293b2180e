// Controls of playback: each is in the row of the transport if it fits, else in a card.
#pragma once
#include <span>
#include <vector>

#include "viz/panels/view.h"

namespace explorer {

struct PlaybackPart {
  std::string_view title;         ///< in the card; empty if the control contains it
  int rank;                       ///< controls with a larger rank leave the row first
  float (*width)(const View&);    ///< in device pixels
  void (*draw)(View&, ui::Rect);  ///< a control in a wider rectangle stretches, or keeps to the left
  bool of_timeline = false;       ///< true if it acts on the timeline alone
};

/// Controls in the order of the row: unit, speed, loop, bookmarks, what the timeline shows, what dragging does.
std::span<const PlaybackPart> playback_parts();

/// Draws the buttons to the start, a step back, play, a step, to the end, at the left end of a row, which they shorten.
void draw_transport_buttons(View& view, ui::Rect& rest);

/// Draws the button that opens the card and, while it is open, the card above it with the parts that do not fit the
/// row.
void draw_playback(View& view, ui::Rect button, const std::vector<const PlaybackPart*>& parts);

}  // namespace explorer
