// Points and rectangles on the screen, in device pixels; y grows downwards.
#pragma once
#include <algorithm>

namespace draw {

struct Point {
  float x = 0, y = 0;
};

struct Rect {
  float x = 0, y = 0, width = 0, height = 0;

  float right() const { return x + width; }
  float bottom() const { return y + height; }
  Point center() const { return {x + width / 2, y + height / 2}; }
  bool empty() const { return width <= 0 || height <= 0; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  /// Smaller by `across` on the left and right and by `down` above and below.
  Rect inset(float across, float down) const { return {x + across, y + down, width - 2 * across, height - 2 * down}; }
  Rect inset(float margin) const { return inset(margin, margin); }
  Rect moved(float across, float down) const { return {x + across, y + down, width, height}; }
  /// Part that a share 0..1 fills, from the left.
  Rect share(float part) const { return {x, y, width * std::clamp(part, 0.f, 1.f), height}; }
};

/// Intersection of two rectangles; empty if they do not overlap.
inline Rect common(Rect a, Rect b) {
  const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(0.f, std::min(a.right(), b.right()) - x), std::max(0.f, std::min(a.bottom(), b.bottom()) - y)};
}

/// Smallest rectangle that contains both.
inline Rect around(Rect a, Rect b) {
  const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

/// Cut a strip off `rest` and return it; the strip never exceeds `rest`.
inline Rect cut_top(Rect& rest, float height) {
  const float h = std::clamp(height, 0.f, std::max(0.f, rest.height));
  const Rect strip{rest.x, rest.y, rest.width, h};
  rest = {rest.x, rest.y + h, rest.width, rest.height - h};
  return strip;
}
inline Rect cut_left(Rect& rest, float width) {
  const float w = std::clamp(width, 0.f, std::max(0.f, rest.width));
  const Rect strip{rest.x, rest.y, w, rest.height};
  rest = {rest.x + w, rest.y, rest.width - w, rest.height};
  return strip;
}
inline Rect cut_bottom(Rect& rest, float height) {
  const float h = std::clamp(height, 0.f, std::max(0.f, rest.height));
  rest.height -= h;
  return {rest.x, rest.bottom(), rest.width, h};
}
inline Rect cut_right(Rect& rest, float width) {
  const float w = std::clamp(width, 0.f, std::max(0.f, rest.width));
  rest.width -= w;
  return {rest.right(), rest.y, w, rest.height};
}

}  // namespace draw
