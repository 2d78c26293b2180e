// The numbers that a CTA has on chip at the playhead, for runs that one can follow by hand: Q, K, S, P, V, O, m, l.
#pragma once
#include "viz/panels/lesson/desk.h"
#include "viz/panels/view.h"

namespace explorer {

/// Takes the place of the card off the panel beside the matrix, or off the one that is shown alone; empty if the step
/// has too many numbers or the picture too little room.
ui::Rect take_values_place(const LessonPage& page, ui::Layout& stage);

/// Draws the card. A tensor that `asked` asks for is covered.
void draw_chip_values(View& view, ui::Rect rect, const lessons::Question* asked);

}  // namespace explorer
