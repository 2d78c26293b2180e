// Window that compares runs.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Draws the comparison instead of the panels of one run.
void draw_comparison(ui::Ui& ui, ViewModel& model, float width, float height, float dpr);

}  // namespace explorer
