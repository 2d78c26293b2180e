// Shapes that say how an answer was: never by a colour.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

enum class Mark { asked, hint, wrong, right, shown };

/// About 20 CSS pixels large: a dashed ring with ?, a bubble, a ring with a cross, a disc with a check, one with an
/// eye.
void draw_mark(View& view, ui::Point center, Mark mark);

}  // namespace explorer
