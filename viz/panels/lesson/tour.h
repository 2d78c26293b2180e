// The guided tour: lesson 00 on a card next to the panel that a step describes.
#pragma once
#include <functional>

#include "viz/panels/lesson/lesson.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Draws the step that look.tour_step names, and its buttons. Call it last, while look.overlay is "tour". The first
/// drawing of a step simulates its runs: a few milliseconds.
void draw_tour(View& view, const LessonFrame& frame);

/// Rectangle of a card: `space` away from the target, not over it, and inside `window`. If it fits on no side, it is a
/// sheet as wide as the window, below or above the target, whichever leaves more space; it overlaps the target if that
/// leaves less than half of the window. `height_of` returns the height needed at a width; a sheet may be lower than
/// that.
ui::Rect place_of_tour(ui::Rect target, ui::Rect window, float width, float space,
                       const std::function<float(float)>& height_of);

}  // namespace explorer
