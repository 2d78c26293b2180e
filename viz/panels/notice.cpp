// Outcome of a request: a line over the lower end of the window, until the next click or key.
#include <algorithm>

#include "viz/panels/panels.h"
#include "viz/ui/imgui_version.h"

namespace explorer {
namespace {

constexpr float height = 40, padding = 16, above = 32;  // CSS pixels

bool acknowledged() { return ui::imgui::any_key_down() || ImGui::IsMouseClicked(ImGuiMouseButton_Left); }

}  // namespace

void draw_notice(View& view, ui::Rect window) {
  const std::string& notice = view.model.notice;
  if (notice.empty()) return;
  if (acknowledged()) return view.edit(Tell{});
  ui::Canvas canvas = view.canvas().on(*ImGui::GetForegroundDrawList());
  const ui::Theme& theme = canvas.theme();
  const float side = canvas.px(padding);
  const float width = std::min(canvas.text_width(ui::Style::control, notice) + 2 * side + 1, window.width - 2 * side);
  const ui::Rect box{window.center().x - width / 2, window.bottom() - canvas.px(height + above), width,
                     canvas.px(height)};
  canvas.fill(box, theme.strong, canvas.px(ui::control_radius));
  canvas.text(box.inset(side, 0), ui::Style::control, theme.on_strong, notice, ui::Align::center);
}

}  // namespace explorer
