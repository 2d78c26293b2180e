#include "viz/panels/panels.h"

namespace explorer {

void draw_tiles(View&, ui::Rect, ui::Rect) {}

}  // namespace explorer
