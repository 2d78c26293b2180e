#include "viz/panels/action_button.h"

#include <vector>

#include "viz/model/action.h"
#include "viz/panels/overlay.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

/// "Ctrl K, /"
std::string keys_text(std::string_view keys) {
  std::string text;
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find(' '), keys.size());
    text += (text.empty() ? "" : ", ") + key_label(keys.substr(0, end));
    keys.remove_prefix(std::min(end + 1, keys.size()));
  }
  return text;
}

/// Draws the tooltip, unless a finger would hide it or it would cover a list that the button has opened.
void draw_tip(View& view, std::string_view tip, std::string_view keys) {
  if (view.ui.state.fingers.touching || !view.ui.state.open.empty() || !ImGui::IsItemHovered()) return;
  std::vector<std::string> lines = {std::string(tip)};
  if (!keys.empty()) lines.push_back(keys_text(keys));
  draw_tooltip(view, lines);
}

}  // namespace

bool draw_icon_button(View& view, ui::Rect rect, std::string_view id, ui::Icon icon, std::string_view tip,
                      std::string_view keys, ui::Weight weight) {
  const bool clicked = ui::icon_button(view.ui, view.id(id), rect, icon, weight);
  draw_tip(view, tip, keys);
  return clicked;
}

void draw_action_button(View& view, ui::Rect rect, std::string_view name, ui::Icon icon, ui::Weight weight,
                        bool possible) {
  if (!possible) {
    const ui::Theme& theme = view.theme();
    view.canvas().card(rect, theme.inset, theme.border, view.px(ui::control_radius));
    return ui::draw_icon(view.canvas(), icon, rect.center(), theme.border, theme.inset);
  }
  const Action& done = action(name);
  if (draw_icon_button(view, rect, name, icon, view.say(done.sentence), done.keys, weight)) view.act(name);
}

}  // namespace explorer
