#include "viz/panels/panels.h"

namespace explorer {

void draw_listing(View& view, ui::Rect rect) { draw_card(view, rect, view.say("Listing")); }

}  // namespace explorer
