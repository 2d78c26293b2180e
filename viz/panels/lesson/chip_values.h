// Numbers that a CTA has on chip at the playhead, for runs small enough to follow by hand: Q, K, S, P, V, O, m, l.
#pragma once
#include "viz/model/lesson/lesson.h"
#include "viz/panels/view.h"

namespace explorer {

/// Cuts the card's rectangle off the panel next to the matrix, or off the only panel shown; empty if the step has too
/// many numbers or the picture too little space.
ui::Rect take_values_place(const LessonPage& page, ui::Layout& stage);

/// Draws the card. Values that give away the answer of a question are covered.
void draw_chip_values(View& view, ui::Rect rect);

}  // namespace explorer
