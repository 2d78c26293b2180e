// The window while runs are compared.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Draws it in place of the panels of one run.
void draw_comparison(ui::Ui& ui, ViewModel& model, float width, float height, float dpr);

}  // namespace explorer
