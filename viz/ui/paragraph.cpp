#include "viz/ui/paragraph.h"

#include <cmath>

#include "sim/report/line_breaks.h"

namespace ui {

using std::string_view;

std::vector<string_view> wrap(const Canvas& canvas, Style style, string_view markup, float width) {
  return report::break_lines(markup, width, [&](string_view part) { return rich_width(canvas, style, part); });
}

float line_step(const Canvas& canvas, Style style) { return std::round(1.5f * canvas.fonts().em(style)); }

float paragraph_height(const Canvas& canvas, Style style, string_view markup, float width) {
  return static_cast<float>(wrap(canvas, style, markup, width).size()) * line_step(canvas, style);
}

float paragraph(Canvas& canvas, Rect box, Style style, const Ink& ink, string_view markup) {
  const float step = line_step(canvas, style), top = box.y;
  const auto room = static_cast<std::size_t>(std::max(0.f, box.height) / step);
  const std::vector<string_view> lines = wrap(canvas, style, markup, box.width);
  for (std::size_t i = 0; i < std::min(room, lines.size()); ++i) {
    std::string line(lines[i]);
    if (i + 1 == room && lines.size() > room)
      line = std::string(wrap(canvas, style, line + " ", box.width - canvas.text_width(style, "…")).front()) + "…";
    rich_text(canvas, cut_top(box, step), style, ink, line);
  }
  return box.y - top;
}

}  // namespace ui
