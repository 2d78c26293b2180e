#include "viz/panels/panels.h"

namespace explorer {

void draw_plots(View&, ui::Rect, ui::Rect) {}

}  // namespace explorer
