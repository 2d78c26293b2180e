#include "viz/panels/panels.h"

namespace explorer {

void draw_timeline(View& view, ui::Rect rect) { draw_card(view, rect, view.say("Timeline")); }

}  // namespace explorer
