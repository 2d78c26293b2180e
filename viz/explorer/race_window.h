// Window in which whole runs race.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Draws the race next to a lesson, in the stage of its layout.
void draw_race(ui::Ui& ui, ViewModel& model, const ui::Layout& stage);
/// Draws the race instead of the panels.
void draw_race(ui::Ui& ui, ViewModel& model, float width, float height, float dpr);

}  // namespace explorer
