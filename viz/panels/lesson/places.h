// Where the picture shows what a linked word names.
#pragma once
#include <vector>

#include "viz/panels/view.h"

namespace explorer {

/// The rectangles of a place (lessons/places.h) in this frame; call it after the panels were drawn. Empty if what is
/// shown beside the lesson has no such place, or the place is covered.
std::vector<ui::Rect> rects_of(View& view, const ui::Layout& stage, std::string_view place);

/// Outlines what a word of the step names, in the picture.
void light_up(View& view, const ui::Layout& stage);

}  // namespace explorer
