// The drop-down of widgets.h: a field with a list.
#include <algorithm>

#include "viz/ui/field.h"
#include "viz/ui/widgets.h"

namespace ui {

float drop_down_width(const Canvas& canvas, std::string_view label, std::span<const std::string_view> options) {
  float widest = 0;
  for (const std::string_view o : options) widest = std::max(widest, canvas.text_width(Style::control, o));
  return field_width(canvas, label, true) + widest;
}

int drop_down(Ui& ui, std::string_view id, Rect rect, std::string_view label, std::span<const std::string_view> options,
              int selected, std::span<const std::string_view> names) {
  const Hit h = hit(ui, id, rect);
  const bool was_open = ui.state.open == id;
  if (h.clicked) ui.state.open = was_open ? std::string() : std::string(id);
  const auto place = static_cast<std::size_t>(selected);
  const std::string_view value = place < options.size() ? options[place] : std::string_view("choose");
  const Rect inside = draw_field(ui.canvas, rect, label, h, was_open, true);
  ui.canvas.text(inside, Style::control, ui.canvas.theme().text, value);
  return was_open && ui.state.open == id ? option_list(ui, id, rect, options, selected, names) : selected;
}

}  // namespace ui
