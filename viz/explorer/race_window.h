// The window while whole runs race.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Draws the race beside a lesson, in the stage of its layout.
void draw_race(ui::Ui& ui, ViewModel& model, const ui::Layout& stage);
/// Draws it in place of the panels.
void draw_race(ui::Ui& ui, ViewModel& model, float width, float height, float dpr);

}  // namespace explorer
