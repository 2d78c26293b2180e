#include "viz/panels/panels.h"

namespace explorer {

void draw_actions(View& view, ui::Rect rect) { draw_card(view, rect, view.say("Actions")); }

}  // namespace explorer
