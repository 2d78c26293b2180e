// The guided tour over the window: a card with the words of a step, beside the panel that they speak of.
#pragma once
#include <functional>

#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Draws the step that look.tour_step names, and its buttons. Call it last, while look.overlay is "tour". The runs of a
/// step are simulated when it is first drawn: a few milliseconds.
void draw_tour(View& view, const ui::Layout& layout);

/// Follows the link of a step, from 1. Theme and language stay.
void go_to_tour_step(ViewModel& model, int step);

/// The panel that a step points at; empty when it is not shown.
ui::Rect tour_target(const ui::Layout& layout, std::string_view panel);

/// Where a card of that size stands: `space` beside the target, not over it, and inside `window`. Where it fits on no
/// side it becomes a sheet as wide as the window, below the target or above it, whichever leaves more room. `height_of`
/// gives the height that a width needs; a sheet may be lower than that.
ui::Rect place_of_tour(ui::Rect target, ui::Rect window, float width, float space,
                       const std::function<float(float)>& height_of);

}  // namespace explorer
