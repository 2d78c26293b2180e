// Controls of playback: each stands in the row of the transport where there is room for it, and else in a card.
#pragma once
#include <span>
#include <vector>

#include "viz/panels/view.h"

namespace explorer {

struct PlaybackPart {
  std::string_view title;         ///< in the card; empty where the control has it inside
  int rank;                       ///< those with a larger one leave the row first
  float (*width)(const View&);    ///< in device pixels
  void (*draw)(View&, ui::Rect);  ///< what is wider than that is stretched, or stands at the left
};

/// In the order of the row: unit, speed, loop, bookmarks, what the timeline shows, what dragging does.
std::span<const PlaybackPart> playback_parts();

/// To the start, a step back, play, a step, to the end: cut off the left of a row.
void draw_transport_buttons(View& view, ui::Rect& rest);

/// The button that opens the card, and the card while it is open: above the button, with the parts that have no room.
void draw_playback(View& view, ui::Rect button, const std::vector<const PlaybackPart*>& parts);

}  // namespace explorer
