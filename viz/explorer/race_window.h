// The window while whole runs race.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Draws it in place of the panels.
void draw_race(ui::Ui& ui, ViewModel& model, float width, float height, float dpr);

}  // namespace explorer
