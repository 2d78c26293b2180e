#include "viz/ui/icons.h"

#include <array>
#include <cmath>

#include "viz/ui/outline.h"

namespace ui {
namespace {

/// A triangle that points right (direction 1) or left (-1), its flat side at x.
void arrow(Canvas& canvas, float x, float y, float width, float half, float direction, Color color) {
  canvas.triangle({x, y - half}, {x + direction * width, y}, {x, y + half}, color);
}

void two_arrows(Canvas& canvas, Point c, float u, float direction, Color color) {
  arrow(canvas, c.x - direction * 7 * u, c.y, 7 * u, 5 * u, direction, color);
  arrow(canvas, c.x, c.y, 7 * u, 5 * u, direction, color);
}

void arrow_to_bar(Canvas& canvas, Point c, float u, float direction, Color color) {
  arrow(canvas, c.x - direction * 5 * u, c.y, 8 * u, 5 * u, direction, color);
  canvas.fill({c.x + direction * 4 * u - u, c.y - 5 * u, 2 * u, 10 * u}, color);
}

void three_linked_dots(Canvas& canvas, Point c, float u, Color color) {
  const Point from{c.x - 4 * u, c.y}, up{c.x + 4 * u, c.y - 4.5f * u}, down{c.x + 4 * u, c.y + 4.5f * u};
  canvas.line(from, up, color, 1.5f * u);
  canvas.line(from, down, color, 1.5f * u);
  for (const Point dot : {from, up, down}) canvas.disc(dot, 2.4f * u, color);
}

/// Half a circle with an arrow head at its upper end.
void turning_arrow(Canvas& canvas, Point c, float u, float direction, Color color) {
  constexpr int steps = 32;
  std::array<Point, steps / 2 + 1> arc;
  for (int i = 0; i <= steps / 2; ++i) {
    const Point on = on_circle(i - steps / 4, steps);
    arc[static_cast<std::size_t>(i)] = {c.x - direction * (4 * u * on.x), c.y + u + 4 * u * on.y};
  }
  canvas.polyline(arc, color, 1.6f * u);
  canvas.line(arc.front(), {c.x + direction * u, arc.front().y}, color, 1.6f * u);
  canvas.line(arc.back(), {c.x + direction * 2 * u, arc.back().y}, color, 1.6f * u);
  arrow(canvas, c.x + direction * u, arc.front().y, 4.5f * u, 3.5f * u, direction, color);
}

void three_sliders(Canvas& canvas, Point c, float u, Color color, Color behind) {
  constexpr std::array<float, 3> knobs = {-2, 3, -1};
  for (int i = 0; i < 3; ++i) {
    const float y = c.y + (static_cast<float>(i) - 1) * 5 * u, x = c.x + knobs[static_cast<std::size_t>(i)] * u;
    canvas.line({c.x - 7 * u, y}, {c.x + 7 * u, y}, color, 1.5f * u);
    canvas.disc({x, y}, 3.2f * u, behind);
    canvas.disc({x, y}, 2.2f * u, color);
  }
}

void flag(Canvas& canvas, Point c, float u, Color color) {
  canvas.fill({c.x - 5 * u, c.y - 7 * u, 1.6f * u, 14 * u}, color);
  canvas.triangle({c.x - 3.4f * u, c.y - 7 * u}, {c.x + 6 * u, c.y - 3 * u}, {c.x - 3.4f * u, c.y + u}, color);
}

void chevron(Canvas& canvas, Point c, float u, float direction, Color color) {
  const std::array<Point, 3> corners = {{{c.x - direction * 2.5f * u, c.y - 5 * u},
                                         {c.x + direction * 2.5f * u, c.y},
                                         {c.x - direction * 2.5f * u, c.y + 5 * u}}};
  canvas.polyline(corners, color, 1.7f * u);
}

void half_disc(Canvas& canvas, Point c, float u, Color color, Color behind) {
  canvas.disc(c, 6.5f * u, color);
  canvas.push_clip({c.x, c.y - 8 * u, 8 * u, 16 * u});
  canvas.disc(c, 5 * u, behind);
  canvas.pop_clip();
}

/// Two arrows that follow each other around.
void two_way_loop(Canvas& canvas, Point c, float u, Color color) {
  const Point over[] = {{c.x - 6 * u, c.y + u}, {c.x - 6 * u, c.y - 3 * u}, {c.x + 2 * u, c.y - 3 * u}};
  const Point under[] = {{c.x + 6 * u, c.y - u}, {c.x + 6 * u, c.y + 3 * u}, {c.x - 2 * u, c.y + 3 * u}};
  canvas.polyline(over, color, 1.6f * u);
  canvas.polyline(under, color, 1.6f * u);
  arrow(canvas, c.x + 2 * u, c.y - 3 * u, 4 * u, 3.5f * u, 1, color);
  arrow(canvas, c.x - 2 * u, c.y + 3 * u, 4 * u, 3.5f * u, -1, color);
}

/// A ribbon with a notch at its end; hollow if not set.
void ribbon(Canvas& canvas, Point c, float u, bool set, Color color) {
  const Point points[] = {{c.x - 4 * u, c.y - 6 * u}, {c.x + 4 * u, c.y - 6 * u}, {c.x + 4 * u, c.y + 6 * u},
                          {c.x, c.y + 2.5f * u},      {c.x - 4 * u, c.y + 6 * u}, {c.x - 4 * u, c.y - 6 * u}};
  if (!set) return canvas.polyline(points, color, 1.5f * u);
  canvas.fill({c.x - 4 * u, c.y - 6 * u, 8 * u, 8.5f * u}, color);
  canvas.triangle({c.x - 4 * u, c.y + 2 * u}, {c.x, c.y + 2.5f * u}, {c.x - 4 * u, c.y + 6 * u}, color);
  canvas.triangle({c.x + 4 * u, c.y + 2 * u}, {c.x, c.y + 2.5f * u}, {c.x + 4 * u, c.y + 6 * u}, color);
}

void ribbon_and_arrow(Canvas& canvas, Point c, float u, float direction, Color color) {
  ribbon(canvas, {c.x - direction * 4 * u, c.y}, 0.8f * u, true, color);
  arrow(canvas, c.x + direction * 2 * u, c.y, 5 * u, 4 * u, direction, color);
}

/// Two columns, one of them lower: runs side by side.
void two_columns(Canvas& canvas, Point c, float u, Color color, Color behind) {
  const Rect left{c.x - 7 * u, c.y - 7 * u, 6 * u, 14 * u}, right{c.x + u, c.y - 2 * u, 6 * u, 9 * u};
  canvas.fill(left, color);
  canvas.fill(left.inset(1.5f * u), behind);
  canvas.fill(right, color);
}

void magnifying_glass(Canvas& canvas, Point c, float u, Color color) {
  canvas.ring({c.x - 1.5f * u, c.y - 1.5f * u}, 4.5f * u, color, 1.7f * u);
  const Point handle[] = {{c.x + 2 * u, c.y + 2 * u}, {c.x + 6.5f * u, c.y + 6.5f * u}};
  canvas.polyline(handle, color, 2 * u);
}

void three_dots(Canvas& canvas, Point c, float u, Color color) {
  for (const float x : {-5.5f, 0.f, 5.5f}) canvas.disc({c.x + x * u, c.y}, 1.8f * u, color);
}

/// Position and colours of an icon: its centre, a CSS pixel, its colour and the background's.
struct IconPen {
  Canvas& canvas;
  Point c;
  float u;
  Color color, behind;
};

void pause(const IconPen& p) {
  p.canvas.fill({p.c.x - 4 * p.u, p.c.y - 5 * p.u, 3 * p.u, 10 * p.u}, p.color);
  p.canvas.fill({p.c.x + p.u, p.c.y - 5 * p.u, 3 * p.u, 10 * p.u}, p.color);
}

void cross(const IconPen& p) {
  const float r = 4 * p.u;
  p.canvas.line({p.c.x - r, p.c.y - r}, {p.c.x + r, p.c.y + r}, p.color, 1.6f * p.u);
  p.canvas.line({p.c.x - r, p.c.y + r}, {p.c.x + r, p.c.y - r}, p.color, 1.6f * p.u);
}

void question_mark(const IconPen& p) {
  const Rect box{p.c.x - 8 * p.u, p.c.y - 8 * p.u, 16 * p.u, 16 * p.u};
  p.canvas.text(box, Style::title, p.color, "?", Align::center);
}

struct Drawing {
  Icon icon;
  void (*draw)(const IconPen&);
};
constexpr Drawing drawings[] = {
    {Icon::play, [](const IconPen& p) { arrow(p.canvas, p.c.x - 3 * p.u, p.c.y, 9 * p.u, 6 * p.u, 1, p.color); }},
    {Icon::pause, pause},
    {Icon::step, [](const IconPen& p) { arrow_to_bar(p.canvas, p.c, p.u, 1, p.color); }},
    {Icon::step_back, [](const IconPen& p) { arrow_to_bar(p.canvas, p.c, p.u, -1, p.color); }},
    {Icon::to_start, [](const IconPen& p) { two_arrows(p.canvas, p.c, p.u, -1, p.color); }},
    {Icon::to_end, [](const IconPen& p) { two_arrows(p.canvas, p.c, p.u, 1, p.color); }},
    {Icon::share, [](const IconPen& p) { three_linked_dots(p.canvas, p.c, p.u, p.color); }},
    {Icon::theme, [](const IconPen& p) { half_disc(p.canvas, p.c, p.u, p.color, p.behind); }},
    {Icon::undo, [](const IconPen& p) { turning_arrow(p.canvas, p.c, p.u, -1, p.color); }},
    {Icon::redo, [](const IconPen& p) { turning_arrow(p.canvas, p.c, p.u, 1, p.color); }},
    {Icon::options, [](const IconPen& p) { three_sliders(p.canvas, p.c, p.u, p.color, p.behind); }},
    {Icon::close, cross},
    {Icon::tour, [](const IconPen& p) { flag(p.canvas, p.c, p.u, p.color); }},
    {Icon::next, [](const IconPen& p) { chevron(p.canvas, p.c, p.u, 1, p.color); }},
    {Icon::previous, [](const IconPen& p) { chevron(p.canvas, p.c, p.u, -1, p.color); }},
    {Icon::loop, [](const IconPen& p) { two_way_loop(p.canvas, p.c, p.u, p.color); }},
    {Icon::bookmark, [](const IconPen& p) { ribbon(p.canvas, p.c, p.u, false, p.color); }},
    {Icon::bookmark_set, [](const IconPen& p) { ribbon(p.canvas, p.c, p.u, true, p.color); }},
    {Icon::next_bookmark, [](const IconPen& p) { ribbon_and_arrow(p.canvas, p.c, p.u, 1, p.color); }},
    {Icon::previous_bookmark, [](const IconPen& p) { ribbon_and_arrow(p.canvas, p.c, p.u, -1, p.color); }},
    {Icon::help, question_mark},
    {Icon::compare, [](const IconPen& p) { two_columns(p.canvas, p.c, p.u, p.color, p.behind); }},
    {Icon::search, [](const IconPen& p) { magnifying_glass(p.canvas, p.c, p.u, p.color); }},
    {Icon::more, [](const IconPen& p) { three_dots(p.canvas, p.c, p.u, p.color); }},
};

}  // namespace

void draw_icon(Canvas& canvas, Icon icon, Point center, Color color, Color behind) {
  const Point c{std::round(center.x), std::round(center.y)};  // flat sides are sharp
  for (const Drawing& drawing : drawings) {
    if (drawing.icon == icon) return drawing.draw({canvas, c, canvas.fonts().scale, color, behind});
  }
}

}  // namespace ui
