#include "viz/panels/panels.h"

namespace explorer {

void draw_softmax(View& view, ui::Rect rect) { draw_card(view, rect, view.say("Online softmax")); }

}  // namespace explorer
