#include "viz/panels/view.h"

namespace explorer {

ui::Rect draw_card(View& view, ui::Rect rect, std::string_view title, std::string_view note) {
  ui::panel(view.canvas(), rect);
  ui::Rect rest = rect.inset(view.px(16), view.px(12));
  ui::Rect line = cut_top(rest, view.px(24));
  cut_left(line, view.canvas().text(line, ui::Style::title, view.theme().text, title) + view.px(12));
  view.canvas().text(line, ui::Style::caption, view.theme().muted, note, ui::Align::right);
  cut_top(rest, view.px(8));
  return rest;
}

}  // namespace explorer
