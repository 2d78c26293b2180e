#include "viz/panels/panels.h"

namespace explorer {

void draw_memory(View& view, ui::Rect rect) { draw_card(view, rect, view.say("Memory")); }

}  // namespace explorer
