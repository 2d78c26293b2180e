// Answers in the picture: a tile on the matrix, or a number to scale below the panel that the step points at.
#pragma once
#include "viz/model/lesson/lesson.h"
#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Takes space below the picture for bars to scale. Empty if there are none, or the picture would become too low: then
/// only the lesson panel shows them.
ui::Rect make_room(const Model& model, const LessonPage& page, bool presents, ui::Layout& stage);

/// Draws the tiles of finished questions, and their number to scale in its place; call it after the panels.
void draw_in_picture(View& view, ui::Rect place);

}  // namespace explorer
