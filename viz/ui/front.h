// Cards in front of the rest of the window: an ImGui window each, so that nothing behind them reacts to the pointer.
#pragma once
#include "viz/ui/widgets.h"

namespace ui {

void begin_front(std::string_view name, Rect rect);
void end_front();

/// Draws a card in the window, and its contents with draw(ui). The card opened or clicked last is in front.
template <class Draw>
void in_front(Ui& ui, std::string_view name, Rect rect, Draw draw) {
  begin_front(name, rect);
  Canvas canvas = ui.canvas.on(*ImGui::GetWindowDrawList());
  const Theme& theme = canvas.theme();
  // The border distinguishes the card from those below it.
  canvas.card(rect, theme.card, mix(theme.border, theme.text, 0.2f), canvas.px(card_radius));
  Ui front{canvas, ui.state};
  draw(front);
  end_front();
}

}  // namespace ui
