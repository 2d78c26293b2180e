#include "viz/panels/tooltip.h"

#include <cmath>

#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

constexpr float widest = 420, padding = 10, from_pointer = 14, headline = 20, line_height = 17,
                margin = 4;  // CSS pixels

}  // namespace

ui::Rect place_of_tooltip(ui::Point pointer, float width, float height, float gap, ui::Rect window) {
  const auto beside = [&](float at, float size, float begin, float end) {
    const float after = at + gap, before = at - gap - size;
    return std::max(begin, std::min(after + size <= end || before < begin ? after : before, end - size));
  };
  const float w = std::min(width, window.width), h = std::min(height, window.height);
  return {beside(pointer.x, w, window.x, window.right()), beside(pointer.y, h, window.y, window.bottom()), w, h};
}

std::vector<std::string> tooltip_lines(const View& view, std::string_view text) {
  const std::string markup = ui::escaped(text);
  std::vector<std::string> lines;
  const float width = view.px(widest - 2 * padding) - 1;
  for (const std::string_view part : ui::wrap(view.canvas(), ui::Style::caption, markup, width)) {
    lines.push_back(ui::plain(part));
  }
  return lines;
}

void draw_tooltip(View& view, std::span<const std::string> lines) {
  if (lines.empty()) return;
  ui::Canvas canvas = view.canvas().on(*ImGui::GetForegroundDrawList());
  const ui::Theme& theme = canvas.theme();
  float width = canvas.text_width(ui::Style::control, lines.front());
  for (const std::string& text : lines.subspan(1)) {
    width = std::max(width, canvas.text_width(ui::Style::caption, text));
  }
  // One pixel wider than the text, since its box is rounded to whole pixels.
  width = std::min(std::ceil(width) + 1 + 2 * canvas.px(padding), canvas.px(widest));
  const float below = canvas.px(line_height) * static_cast<float>(lines.size() - 1);
  const float height = canvas.px(headline) + below + 2 * canvas.px(padding - 3);
  const ImGuiIO& io = ImGui::GetIO();
  const ui::Rect window = ui::Rect{0, 0, io.DisplaySize.x, io.DisplaySize.y}.inset(canvas.px(margin));
  const ui::Rect box = place_of_tooltip({io.MousePos.x, io.MousePos.y}, width, height, canvas.px(from_pointer), window);
  canvas.card(box, theme.dark ? ui::mix(theme.card, theme.text, 0.06f) : theme.card,
              ui::mix(theme.border, theme.text, 0.2f), canvas.px(ui::control_radius));
  ui::Space rest(box.inset(canvas.px(padding), canvas.px(padding - 3)));
  canvas.text(rest.top(canvas.px(headline)), ui::Style::control, theme.text, lines.front());
  for (const std::string& text : lines.subspan(1))
    canvas.text(rest.top(canvas.px(line_height)), ui::Style::caption, theme.muted, text);
}

}  // namespace explorer
