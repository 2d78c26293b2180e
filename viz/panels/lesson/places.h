// Rectangles in the picture of the things that linked words name.
#pragma once
#include <vector>

#include "viz/panels/view.h"

namespace explorer {

/// Rectangles of a place (lessons/places.h) in this frame; call it after the panels are drawn. Empty if no panel shows
/// the place, or it is covered.
std::vector<ui::Rect> rects_of(View& view, const ui::Layout& stage, std::string_view place);

/// Outlines the highlighted place of the step in the picture.
void light_up(View& view, const ui::Layout& stage);

}  // namespace explorer
