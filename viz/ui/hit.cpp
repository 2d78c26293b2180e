#include "viz/ui/hit.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/text.h"

namespace ui {

Hit hit(Ui& ui, std::string_view id, Rect rect) {
  const Rect visible = common(rect, ui.canvas.clip());
  if (visible.empty()) return {};
  const bool first = ui.state.probes.emplace(id, visible).second;
  sim::require(first, "widgets: two are called \"", id, "\" in one frame; a name belongs to one");

  ImGui::SetCursorScreenPos({rect.x, rect.y});
  Hit result;
  result.clicked = ImGui::InvisibleButton(std::string(id).c_str(), {rect.width, rect.height});
  result.hovered = ImGui::IsItemHovered();
  result.held = ImGui::IsItemActive();
  return result;
}

bool typed(char sign) {
  const auto& characters = ImGui::GetIO().InputQueueCharacters;
  return std::any_of(characters.begin(), characters.end(), [&](ImWchar c) {
    return c < 0x80 && sim::in_lower_case(static_cast<char>(c)) == sim::in_lower_case(sign);
  });
}

void mark_place(Ui& ui, std::string_view name, Rect rect) {
  const Rect visible = common(rect, ui.canvas.clip());
  if (!visible.empty()) ui.state.places.emplace(name, visible);
}

// Uses ImGui's own clip rectangle, not the list's: its widgets do not react to the pointer outside it.
void push_view(Rect rect) { ImGui::PushClipRect({rect.x, rect.y}, {rect.right(), rect.bottom()}, true); }
void pop_view() { ImGui::PopClipRect(); }

}  // namespace ui
