#include "viz/panels/view.h"
#include "viz/ui/stack.h"

namespace explorer {

ui::Rect draw_card(View& view, ui::Rect rect, std::string_view title, std::string_view note) {
  ui::panel(view.canvas(), rect);
  const auto [head, body] = ui::rows(rect.inset(view.px(16), view.px(12)), view.px(8), {view.px(24), ui::rest()});
  ui::Space line(head);
  left_text(view.canvas(), line, ui::Style::title, view.theme().text, title, view.px(12));
  view.canvas().text(line.rest(), ui::Style::caption, view.theme().muted, note, ui::Align::right);
  return body;
}

}  // namespace explorer
