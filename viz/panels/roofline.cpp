#include "viz/panels/panels.h"

namespace explorer {

void draw_roofline(View& view, ui::Rect rect) { draw_card(view, rect, view.say("Roofline")); }

}  // namespace explorer
