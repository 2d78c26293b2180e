// Cards that lie before the rest of the window: an ImGui window each, so that nothing behind them feels the pointer.
#pragma once
#include "viz/ui/widgets.h"

namespace ui {

void begin_front(std::string_view name, Rect rect);
void end_front();

/// Draws a card at a place of the window, and calls draw(ui) with what draws on it. The last one that was opened or
/// clicked lies in front.
template <class Draw>
void in_front(Ui& ui, std::string_view name, Rect rect, Draw draw) {
  begin_front(name, rect);
  Canvas canvas = ui.canvas.on(*ImGui::GetWindowDrawList());
  const Theme& theme = canvas.theme();
  // It stands out from the cards below it.
  canvas.card(rect, theme.card, mix(theme.border, theme.text, 0.2f), canvas.px(card_radius));
  Ui front{canvas, ui.state};
  draw(front);
  end_front();
}

}  // namespace ui
