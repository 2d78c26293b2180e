#include "viz/panels/panels.h"

namespace explorer {

void draw_matrix(View&, ui::Rect, ui::Rect) {}

}  // namespace explorer
