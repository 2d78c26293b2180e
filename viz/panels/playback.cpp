#include "viz/panels/playback.h"

#include <imgui.h>

#include <algorithm>

#include "viz/panels/action_button.h"
#include "viz/ui/field.h"
#include "viz/ui/front.h"

namespace explorer {
namespace {

constexpr float width = 340, padding = 16, gap = 10, edge = 8;  // CSS pixels

/// Rectangle of the card: above the button, aligned to its right edge, inside the window.
ui::Rect place_of(const View& view, ui::Rect button, std::size_t rows) {
  const float window = ImGui::GetIO().DisplaySize.x, margin = view.px(edge);
  const float wide = std::min(view.px(width), window - 2 * margin), n = static_cast<float>(rows);
  const float high = n * view.control_height() + (n - 1) * view.px(gap) + 2 * view.px(padding);
  const float x = std::clamp(button.right() - wide, margin, window - margin - wide);
  return {x, std::max(margin, button.y - margin - high), wide, high};
}

/// Draws a row: title on the left, control on the right. A control without a title takes the whole row.
void draw_row(View& view, ui::Rect row, const PlaybackPart& part) {
  if (part.title.empty()) return part.draw(view, row);
  const auto [title, control] = ui::columns(row, view.px(gap), {ui::rest(), part.width(view)});
  view.canvas().text(title, ui::Style::control, view.theme().text, view.say(part.title));
  part.draw(view, control);
}

}  // namespace

void draw_playback(View& view, ui::Rect button, const std::vector<const PlaybackPart*>& parts) {
  const bool open = view.state.look.playback;
  const auto show = [&](bool on) { view.set([&](Look& look) { look.playback = on; }); };
  const bool listed = !view.ui.state.open.empty();  // a click in a list that extends beyond the card
  if (draw_icon_button(view, button, "playback", ui::Icon::more, view.say("More controls"))) return show(!open);
  if (!open) return;
  const ui::Rect card = place_of(view, button, parts.size());
  ui::in_front(view.ui, "playback card", card, [&](ui::Ui& ui) {
    View front{ui, view, view.index};
    ui::Space rest(card.inset(view.px(padding)), view.px(gap));
    for (const PlaybackPart* part : parts) draw_row(front, rest.top(view.control_height()), *part);
  });
  if (!listed && ui::clicked_outside(card) && ui::clicked_outside(button)) show(false);
}

}  // namespace explorer
