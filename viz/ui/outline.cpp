#include "viz/ui/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

namespace ui {
namespace {

constexpr int finest = 128;             // corners of the largest circle
constexpr std::size_t longest = 8'192;  // points of a line at a time: four corners each, and an index may have 16 bits
constexpr float sharpest = 0.1f;        // the length of a mitre's mean normal where it is cut off

bool same(Point a, Point b) { return a.x == b.x && a.y == b.y; }

// The circle.

struct Direction {
  double x, y;
};

/// Unit vector half way between two unit vectors.
Direction middle(Direction a, Direction b) {
  const double x = a.x + b.x, y = a.y + b.y, length = std::sqrt(x * x + y * y);
  return {x / length, y / length};
}

struct Circle {
  std::array<Point, finest> points;

  /// Builds a quarter by repeated halving; the other quarters are its rotations.
  Circle() {
    constexpr std::size_t quarter = finest / 4;
    std::array<Direction, quarter + 1> arc{};
    arc.front() = {1, 0};
    arc.back() = {0, 1};
    for (std::size_t step = quarter; step > 1; step /= 2) {
      for (std::size_t i = 0; i < quarter; i += step) arc[i + step / 2] = middle(arc[i], arc[i + step]);
    }
    for (std::size_t i = 0; i < quarter; ++i) {
      const Point p{static_cast<float>(arc[i].x), static_cast<float>(arc[i].y)};
      points[i] = p;
      points[i + quarter] = {-p.y, p.x};
      points[i + 2 * quarter] = {-p.x, -p.y};
      points[i + 3 * quarter] = {p.y, -p.x};
    }
  }
};

/// Minimum number of corners, 8, 16 ... 128, for edges that lie at most `inside` pixels inside a circle:
/// r (1 - cos(pi / n)) < r (pi / n)^2 / 2.
int corners_of(float radius, float inside) {
  const float enough = 9.8696f * radius / (2 * inside);
  int n = 8;
  while (n < finest && static_cast<float>(n * n) < enough) n *= 2;
  return n;
}

/// Corners of a round shape, in order; a corner that repeats the previous one is dropped.
class Corners {
 public:
  /// Adds an arc between two steps of a circle of `steps` corners; both ends belong to it.
  void arc(Point center, float radius, int first, int last, int steps) {
    for (int i = first; i <= last; ++i) {
      const Point on = on_circle(i, steps);
      add({center.x + radius * on.x, center.y + radius * on.y});
    }
  }
  void add(Point p) {
    if (count_ == 0 || !same(p, points_[count_ - 1])) points_[count_++] = p;
  }
  std::span<const Point> all() {
    if (count_ > 1 && same(points_[0], points_[count_ - 1])) --count_;
    return {points_.data(), count_};
  }

 private:
  std::array<Point, finest + 4> points_;
  std::size_t count_ = 0;
};

Corners circle(Point center, float radius) {
  Corners corners;
  const int n = corners_of(radius, 0.1f);
  corners.arc(center, radius, 0, n - 1, n);
  return corners;
}

Corners round_rect(Rect rect, float radius) {
  const float r = std::min(radius, std::min(rect.width, rect.height) / 2);
  const float left = rect.x + r, right = rect.right() - r, top = rect.y + r, bottom = rect.bottom() - r;
  const int n = corners_of(r, 0.3f), quarter = n / 4;
  Corners corners;
  corners.arc({right, bottom}, r, 0, quarter, n);
  corners.arc({left, bottom}, r, quarter, 2 * quarter, n);
  corners.arc({left, top}, r, 2 * quarter, 3 * quarter, n);
  corners.arc({right, top}, r, 3 * quarter, n, n);
  return corners;
}

// Edges of a shape.

/// Unit vector to the left of a -> b: outwards if the corners are clockwise.
Point normal(Point a, Point b) {
  const float x = b.x - a.x, y = b.y - a.y, length = std::sqrt(x * x + y * y);
  return length > 0 ? Point{y / length, -x / length} : Point{};
}

/// Displacement of a corner if both of its edges move by 1 along their normals.
Point mitre(Point before, Point after) {
  const float x = (before.x + after.x) / 2, y = (before.y + after.y) / 2;
  const float square = std::max(x * x + y * y, sharpest * sharpest);
  return {x / square, y / square};
}

ImVec2 moved(Point p, Point along, float by) { return {p.x + along.x * by, p.y + along.y * by}; }
bool visible(ImU32 color) { return (color & IM_COL32_A_MASK) != 0; }

/// Writes corners and triangles of one shape; the corners' indices start at 0.
class Mesh {
 public:
  Mesh(ImDrawList& list, std::size_t triangles, std::size_t corners) : list_(list) {
    list.PrimReserve(static_cast<int>(3 * triangles), static_cast<int>(corners));
    first_ = list._VtxCurrentIdx;  // after the reservation, which may restart the indices
  }
  void corner(ImVec2 at, ImU32 color) { list_.PrimWriteVtx(at, white_, color); }
  void triangle(std::size_t a, std::size_t b, std::size_t c) {
    for (const std::size_t n : {a, b, c}) list_.PrimWriteIdx(static_cast<ImDrawIdx>(first_ + n));
  }
  /// Adds the strip between the edges a -> b and c -> d.
  void strip(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    triangle(a, b, d);
    triangle(a, d, c);
  }

 private:
  ImDrawList& list_;
  ImVec2 white_ = ImGui::GetFontTexUvWhitePixel();
  unsigned first_;
};

/// Cross-section of a line: distances from its middle at which it starts to fade and has faded.
struct Profile {
  float solid, faded;
  explicit Profile(float width) : solid((std::max(width, 1.f) - 1) / 2), faded(solid + 1) {}

  void write(Mesh& mesh, Point at, Point along, ImU32 color) const {
    const ImU32 clear = color & ~IM_COL32_A_MASK;
    mesh.corner(moved(at, along, faded), clear);
    mesh.corner(moved(at, along, solid), color);
    mesh.corner(moved(at, along, -solid), color);
    mesh.corner(moved(at, along, -faded), clear);
  }
  static void join(Mesh& mesh, std::size_t from, std::size_t to) {
    for (std::size_t side = 0; side < 3; ++side) {
      mesh.strip(4 * from + side, 4 * to + side, 4 * from + side + 1, 4 * to + side + 1);
    }
  }
};

/// Strokes a path. `points`: no two neighbours are equal.
void stroke_path(ImDrawList& list, std::span<const Point> points, bool closed, float width, ImU32 color) {
  const std::size_t n = points.size(), edges = closed ? n : n - 1;
  if (n < 2 || !visible(color)) return;
  Mesh mesh(list, 6 * edges, 4 * n);
  const Profile profile(width);
  Point before = closed ? normal(points[n - 1], points[0]) : normal(points[0], points[1]);
  for (std::size_t i = 0; i < n; ++i) {
    const Point after = i < edges ? normal(points[i], points[(i + 1) % n]) : before;
    profile.write(mesh, points[i], mitre(before, after), color);
    if (i < edges) Profile::join(mesh, i, (i + 1) % n);
    before = after;
  }
}

/// Fills a convex shape. `corners`: no two neighbours are equal.
void fill_path(ImDrawList& list, std::span<const Point> corners, ImU32 color) {
  const std::size_t n = corners.size();
  if (n < 3 || !visible(color)) return;
  Mesh mesh(list, n - 2 + 2 * n, 2 * n);
  for (std::size_t i = 2; i < n; ++i) mesh.triangle(0, 2 * (i - 1), 2 * i);
  Point before = normal(corners[n - 1], corners[0]);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t next = (i + 1) % n;
    const Point after = normal(corners[i], corners[next]), along = mitre(before, after);
    mesh.corner(moved(corners[i], along, -0.5f), color);
    mesh.corner(moved(corners[i], along, 0.5f), color & ~IM_COL32_A_MASK);
    mesh.strip(2 * i + 1, 2 * next + 1, 2 * i, 2 * next);
    before = after;
  }
}

std::vector<Point> distinct(std::span<const Point> points) {
  std::vector<Point> kept;
  kept.reserve(points.size());
  std::unique_copy(points.begin(), points.end(), std::back_inserter(kept), same);
  return kept;
}

}  // namespace

Point on_circle(int step, int steps) {
  static const Circle circle;  // a constant
  return circle.points[static_cast<std::size_t>(step * (finest / steps)) % finest];
}

void fill_rect(ImDrawList& list, Rect rect, ImU32 color) {
  if (!visible(color)) return;
  list.PrimReserve(6, 4);
  list.PrimRect({rect.x, rect.y}, {rect.right(), rect.bottom()}, color);
}

void fill_convex(ImDrawList& list, std::span<const Point> corners, ImU32 color) {
  std::vector<Point> kept = distinct(corners);
  if (kept.size() > 1 && same(kept.front(), kept.back())) kept.pop_back();
  fill_path(list, kept, color);
}

void fill_round_rect(ImDrawList& list, Rect rect, float radius, ImU32 color) {
  fill_path(list, round_rect(rect, radius).all(), color);
}

void fill_circle(ImDrawList& list, Point center, float radius, ImU32 color) {
  fill_path(list, circle(center, radius).all(), color);
}

void stroke(ImDrawList& list, std::span<const Point> points, float width, ImU32 color) {
  const std::vector<Point> kept = distinct(points);
  const std::span<const Point> all = kept;
  for (std::size_t first = 0; first + 1 < all.size(); first += longest - 1) {
    stroke_path(list, all.subspan(first, std::min(longest, all.size() - first)), false, width, color);
  }
}

void stroke_round_rect(ImDrawList& list, Rect rect, float radius, float width, ImU32 color) {
  stroke_path(list, round_rect(rect, radius).all(), true, width, color);
}

void stroke_circle(ImDrawList& list, Point center, float radius, float width, ImU32 color) {
  stroke_path(list, circle(center, radius).all(), true, width, color);
}

}  // namespace ui
