#include "viz/panels/panels.h"

namespace explorer {

void draw_title(View& view, ui::Rect rect) { draw_card(view, rect, view.say("Attention Explorer")); }

}  // namespace explorer
