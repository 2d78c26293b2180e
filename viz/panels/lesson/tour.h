// The guided tour over the window: lesson 00 on a card beside the panel that a step speaks of.
#pragma once
#include <functional>

#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Draws the step that look.tour_step names, and its buttons. Call it last, while look.overlay is "tour". The runs of a
/// step are simulated when it is first drawn: a few milliseconds.
void draw_tour(View& view, const ui::LessonLayout& layout);

/// Follows the link of a step, from 1, and plays its clip. Theme and language stay.
void go_to_tour_step(ViewModel& model, int step);

/// Where a card of that size stands: `space` beside the target, not over it, and inside `window`. Where it fits on no
/// side it becomes a sheet as wide as the window, below the target or above it, whichever leaves more room; over a part
/// of the target where that is less than half of the window. `height_of` gives the height that a width needs; a sheet
/// may be lower than that.
ui::Rect place_of_tour(ui::Rect target, ui::Rect window, float width, float space,
                       const std::function<float(float)>& height_of);

}  // namespace explorer
