#include "viz/panels/panels.h"

namespace explorer {

void draw_controls(View& view, ui::Rect rect) { draw_card(view, rect, view.say("Controls")); }

}  // namespace explorer
