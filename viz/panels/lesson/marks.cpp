#include "viz/panels/lesson/marks.h"

#include <array>

#include "viz/ui/outline.h"

namespace explorer {
namespace {

using ui::Point;

void draw_dashed_ring(View& view, Point center, float radius, ui::Color color) {
  constexpr int steps = 32;
  for (int n = 0; n < steps; n += 2) {
    const Point a = ui::on_circle(n, steps), b = ui::on_circle(n + 1, steps);
    view.canvas().line({center.x + radius * a.x, center.y + radius * a.y},
                       {center.x + radius * b.x, center.y + radius * b.y}, color, view.px(2));
  }
}

void draw_cross(View& view, Point c, ui::Color color) {
  const float d = view.px(3.5f), width = view.px(2);
  view.canvas().polyline(std::array{Point{c.x - d, c.y - d}, Point{c.x + d, c.y + d}}, color, width);
  view.canvas().polyline(std::array{Point{c.x - d, c.y + d}, Point{c.x + d, c.y - d}}, color, width);
}

void draw_check(View& view, Point c, ui::Color color) {
  const float d = view.px(1);
  const std::array points = {Point{c.x - 4 * d, c.y}, Point{c.x - d, c.y + 3 * d}, Point{c.x + 4 * d, c.y - 3 * d}};
  view.canvas().polyline(points, color, view.px(2));
}

void draw_bubble(View& view, Point c, ui::Color color) {
  const float w = view.px(16), h = view.px(12), left = c.x - w / 2, top = c.y - h / 2 - view.px(1);
  view.canvas().stroke({left, top, w, h}, color, view.px(1.5f), view.px(2));
  view.canvas().triangle({left + view.px(4), top + h}, {left + view.px(9), top + h},
                         {left + view.px(4), top + h + view.px(4)}, color);
}

}  // namespace

void draw_mark(View& view, Point center, Mark mark) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const float radius = view.px(9);
  const ui::Rect box{center.x - radius, center.y - radius, 2 * radius, 2 * radius};
  switch (mark) {
    case Mark::asked:
      draw_dashed_ring(view, center, radius, theme.muted);
      canvas.text(box, ui::Style::control, theme.text, "?", ui::Align::center);
      break;
    case Mark::hint:
      draw_bubble(view, center, theme.muted);
      break;
    case Mark::wrong:
      canvas.ring(center, radius, theme.strong, view.px(1.5f));
      draw_cross(view, center, theme.strong);
      break;
    case Mark::right:
      canvas.disc(center, radius, theme.strong);
      draw_check(view, center, theme.on_strong);
      break;
    case Mark::shown:
      canvas.disc(center, radius, theme.muted);
      canvas.disc(center, view.px(4), theme.card);
      canvas.disc(center, view.px(2), theme.muted);
      break;
  }
}

}  // namespace explorer
