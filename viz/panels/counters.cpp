#include "viz/panels/panels.h"

namespace explorer {

void draw_counter(View& view, ui::Rect rect, std::size_t which) { draw_card(view, rect, sim::text("counter ", which)); }

}  // namespace explorer
