#include "viz/ui/hatch.h"

#include <array>
#include <cmath>

#include "viz/draw/steady.h"

namespace ui {
namespace {

constexpr float hatch_step = 5;  // CSS pixels between lines

/// Draws diagonals that rise to the right, clipped to the rectangle.
void draw_diagonals(Canvas& canvas, Rect place, Color color) {
  for (float x = place.x + canvas.px(hatch_step) - place.height; x < place.right(); x += canvas.px(hatch_step)) {
    const float left = std::max(x, place.x), right = std::min(x + place.height, place.right());
    if (right <= left) continue;
    const std::array<Point, 2> line = {{{left, place.bottom() - (left - x)}, {right, place.bottom() - (right - x)}}};
    canvas.polyline(line, color, 1);
  }
}

/// Draws rows of ">", each as high as it is far from the next.
void draw_chevrons(Canvas& canvas, Rect place, Color color) {
  const float high = std::min(canvas.px(9), place.height - 2), deep = canvas.px(3), apart = canvas.px(8);
  if (high < 3) return;
  const int rows = std::max(1, static_cast<int>(place.height / (high + canvas.px(3))));
  for (int row = 0; row < rows; ++row) {
    const float middle = place.y + place.height * (static_cast<float>(row) + 0.5f) / static_cast<float>(rows);
    for (float x = place.x + canvas.px(2); x + deep <= place.right(); x += apart) {
      const std::array<Point, 3> sign = {{{x, middle - high / 2}, {x + deep, middle}, {x, middle + high / 2}}};
      canvas.polyline(sign, color, std::max(1.f, canvas.px(1)));
    }
  }
}

/// Draws rows of small squares, hollow if there is space for that.
void draw_squares(Canvas& canvas, Rect place, Color color) {
  const float side = std::min(canvas.px(4), place.height - 2), apart = canvas.px(7);
  if (side < 2) return;
  const int rows = std::max(1, static_cast<int>((place.height - 1) / apart));
  for (int row = 0; row < rows; ++row) {
    const float middle = place.y + place.height * (static_cast<float>(row) + 0.5f) / static_cast<float>(rows);
    for (float x = place.x + canvas.px(2); x + side <= place.right(); x += apart)
      canvas.stroke({std::round(x), std::round(middle - side / 2), side, side}, color, 1);
  }
}

/// Draws rows of small arrows to the right.
void draw_arrows(Canvas& canvas, Rect place, Color color) {
  const float head = canvas.px(2), length = canvas.px(7), apart = canvas.px(11), high = canvas.px(7);
  if (place.height < 2 * head + 2) return;
  const int rows = std::max(1, static_cast<int>(place.height / high));
  for (int row = 0; row < rows; ++row) {
    const float y = std::round(place.y + place.height * (static_cast<float>(row) + 0.5f) / static_cast<float>(rows));
    for (float x = place.x + canvas.px(2); x + length <= place.right(); x += apart) {
      canvas.line({x, y}, {x + length, y}, color, 1);
      const std::array<Point, 3> sign = {
          {{x + length - head, y - head}, {x + length, y}, {x + length - head, y + head}}};
      canvas.polyline(sign, color, 1);
    }
  }
}

}  // namespace

void draw_hatch(Canvas& canvas, Rect place, Hatch hatch, Color color) {
  const float s = std::max(2.f, canvas.px(hatch_step)), dot = std::max(1.f, canvas.px(1.5f));
  if (hatch == Hatch::diagonal) draw_diagonals(canvas, place, color);
  if (hatch == Hatch::chevrons) draw_chevrons(canvas, place, color);
  if (hatch == Hatch::squares) draw_squares(canvas, place, color);
  if (hatch == Hatch::arrows) draw_arrows(canvas, place, color);
  if (hatch == Hatch::vertical) {
    for (float x = place.x + s / 2; x < place.right(); x += s)
      canvas.line({std::round(x), place.y}, {std::round(x), place.bottom()}, color, 1);
  }
  if (hatch != Hatch::horizontal && hatch != Hatch::dots) return;
  for (float y = place.y + s / 2; y < place.bottom(); y += s) {
    if (hatch == Hatch::horizontal) canvas.line({place.x, std::round(y)}, {place.right(), std::round(y)}, color, 1);
    for (float x = place.x + s / 2; hatch == Hatch::dots && x + dot <= place.right(); x += s)
      canvas.fill({std::round(x), std::round(y), dot, dot}, color);
  }
}

void dashed_line(Canvas& canvas, std::span<const Point> points, Color color, float width, Dashes dashes) {
  if (dashes.empty()) return canvas.polyline(points, color, width);
  std::size_t dash = 0;
  float left = canvas.px(dashes[0]);
  for (std::size_t n = 1; n < points.size(); ++n) {
    const Point a = points[n - 1], b = points[n];
    const float length = draw::steady::length(b.x - a.x, b.y - a.y);
    for (float at = 0; at < length;) {
      const bool whole = left <= length - at;
      const float end = whole ? at + left : length;
      const auto between = [&](float s) { return Point{a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * s}; };
      if (dash % 2 == 0) canvas.polyline(std::array{between(at / length), between(end / length)}, color, width);
      if (whole) dash = (dash + 1) % dashes.size();
      left = whole ? std::max(1.f, canvas.px(dashes[dash])) : left - (length - at);
      at = end;
    }
  }
}

}  // namespace ui
