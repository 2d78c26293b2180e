// An answer in the picture itself: a tile on the matrix, a number to scale below what the step points at.
#pragma once
#include "viz/panels/lesson/desk.h"
#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Leaves room below the picture for a wrong number. Where the picture would become too low, the panel alone has it.
void make_room(ViewModel& model, LessonPage& page, ui::Layout& stage);

/// The tiles and the number of the questions that are over, behind the panels.
void draw_in_picture(View& view);

}  // namespace explorer
