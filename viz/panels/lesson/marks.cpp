#include "viz/panels/lesson/marks.h"

#include <algorithm>
#include <array>

#include "viz/ui/outline.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

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

void draw_dashed_frame(View& view, ui::Rect box, ui::Color color) {
  const float dash = view.px(5), step = view.px(8), thick = std::max(1.f, view.px(1));
  for (float x = box.x; x < box.right(); x += step) {
    const float width = std::min(dash, box.right() - x);
    view.canvas().fill({x, box.y, width, thick}, color);
    view.canvas().fill({x, box.bottom() - thick, width, thick}, color);
  }
  view.canvas().fill({box.x, box.y, thick, box.height}, color);
  view.canvas().fill({box.right() - thick, box.y, thick, box.height}, color);
}

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

namespace {

/// Fills a box with a stripe per pass, if gaps between them fit.
void fill_stripes(View& view, ui::Rect box, ui::Color color, int stripes) {
  const float pitch = box.width / static_cast<float>(stripes), gap = view.px(2);
  if (pitch < 2 * gap) return view.canvas().fill(box, color);
  for (int n = 0; n < stripes; ++n)
    view.canvas().fill({box.x + static_cast<float>(n) * pitch, box.y, pitch - gap, box.height}, color);
}

}  // namespace

void draw_bar(View& view, ui::Rect line, const Bar& bar) {
  const ui::Theme& theme = view.theme();
  ui::Canvas& canvas = view.canvas();
  const auto [name, scale] = ui::columns(line, 0, {view.px(84), ui::rest()});
  canvas.text(name, ui::Style::caption, theme.muted, bar.label);
  const ui::Rect track = scale.inset(0, view.px(3)), filled = track.share(std::max(bar.share, 0.008f));
  canvas.fill(track, theme.inset);
  const ui::Color solid = bar.color.value_or(theme.tile_done);
  bar.given ? draw_dashed_frame(view, filled, theme.strong) : fill_stripes(view, filled, solid, bar.stripes);
  const float room = view.px(8), width = ui::rich_width(canvas, ui::Style::caption, bar.value) + 2 * room;
  const float from = filled.width + width <= track.width ? filled.width : 0;
  const ui::Rect place{track.x + from + room, track.y, track.width - from - 2 * room, track.height};
  const bool inside = !bar.given && place.x < filled.right(), striped = inside && bar.stripes > 1;
  if (striped) canvas.fill({place.x - room / 2, place.y, width - room, place.height}, theme.inset, view.px(3));
  const ui::Color ground = inside && !striped ? solid : theme.inset;
  ui::rich_text(canvas, place, ui::Style::caption, {ui::readable(theme.text, ground, theme.window)}, bar.value);
}

}  // namespace explorer
