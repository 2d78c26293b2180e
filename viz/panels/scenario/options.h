// Card with every option of the scenario.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Draws the card in front of the window, below the button that opened it. The probe of an option is "option/NAME".
void draw_options(View& view, ui::Rect button);

}  // namespace explorer
