// Answers in the picture: a tile on the matrix, or a number to scale below the panel that the step points at.
#pragma once
#include "viz/panels/lesson/panel_state.h"
#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Reserves space below the picture for bars to scale, unless the picture would become too low: then only the lesson
/// panel shows them.
void make_room(ViewModel& model, LessonPage& page, ui::Layout& stage);

/// Draws the tiles and the number of finished questions; call it after the panels.
void draw_in_picture(View& view);

}  // namespace explorer
