// The name of the program and its logo: tiles of a causal matrix, one of them current.
#include "viz/panels/panels.h"

namespace explorer {

float draw_sign(View& view, ui::Rect rect) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const float tile = view.px(7), gap = view.px(2), size = 3 * tile + 2 * gap;
  const float top = std::round(rect.center().y - size / 2);
  for (int row = 0; row < 3; ++row) {
    for (int col = 0; col <= row; ++col) {
      const float x = rect.x + static_cast<float>(col) * (tile + gap), y = top + static_cast<float>(row) * (tile + gap);
      const bool working = row == 2 && col == 1;
      canvas.fill({x, y, tile, tile}, working ? theme.tensor('S') : row == 2 && col == 2 ? theme.muted : theme.strong);
    }
  }
  return size;
}

void draw_title(View& view, ui::Rect rect) {
  if (ui::hit(view.ui, "first", rect).clicked) view.edit(Act{"first"});
  const auto [sign, name] = ui::columns(rect, view.px(12), {draw_sign(view, rect), ui::rest()});
  ui::fitting_text(view.canvas(), name, ui::Style::title, view.theme().text, "FlashScope");
}

}  // namespace explorer
