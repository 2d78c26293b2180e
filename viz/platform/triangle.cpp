#include "viz/platform/triangle.h"

#include <array>
#include <cmath>

namespace platform {
namespace {

constexpr std::int64_t one = 65536;

struct Corner {
  Fixed x, y;
};

/// The edge function of a -> b: twice the area of (a, b, p), positive for p on its right (y grows downwards).
struct Edge {
  std::int64_t across, down, at_origin;  ///< change per pixel in x and in y; value at the centre of pixel (0, 0)
  int border;                            ///< 0 if pixels on the edge belong to the triangle, else 1

  Edge(Corner a, Corner b)
      : across((a.y - b.y) * 256),
        down((b.x - a.x) * 256),
        at_origin((b.x - a.x) * (128 - a.y) - (b.y - a.y) * (128 - a.x)),
        border(a.y == b.y ? b.x < a.x : b.y > a.y) {}

  std::int64_t at(int x, int y) const { return at_origin + across * x + down * y; }

  /// Narrows first .. last - 1 to the pixels of row y on the inner side: e + across * x >= 0.
  void narrow(int y, int& first, int& last) const {
    const std::int64_t e = at(0, y) - border;
    if (across > 0) {
      first = within(-floor_of(e, across), first, last);
    } else if (across < 0) {
      last = within(floor_of(e, -across) + 1, first, last);
    } else if (e < 0) {
      last = first;
    }
  }

 private:
  static std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }
  static int within(std::int64_t x, int first, int last) {
    return static_cast<int>(std::clamp<std::int64_t>(x, first, std::max(first, last)));
  }
};

/// Quantities that vary over a triangle: alpha, colour and texture coordinates.
enum Value { alpha, red, green, blue, u, v, values };
using Values = std::array<std::int64_t, values>;  ///< in 1/65536

Values values_of(const ImDrawVert& corner, const Texture& texture) {
  const ui::Color c = unpacked(corner.col);
  return {
      c.alpha * one, c.red * one, c.green * one, c.blue * one, texture.across(corner.uv.x), texture.down(corner.uv.y)};
}

/// Linear interpolation: the value at the start of a row, exact to 1/65536, and the step per pixel along it.
class Gradient {
 public:
  Gradient(const std::array<Edge, 3>& edges, double area, const std::array<Values, 3>& corners)
      : edges_(edges), area_(area), corners_(corners) {}

  std::int64_t start(Value k, int x, int y) const {
    return weighed(k, [&](const Edge& edge) { return edge.at(x, y); });
  }
  std::int64_t step(Value k) const {
    return weighed(k, [](const Edge& edge) { return edge.across; });
  }

 private:
  /// The corners' values, weighted by the area opposite each.
  template <class Weight>
  std::int64_t weighed(Value k, Weight weight) const {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
      sum += static_cast<double>(weight(edges_[i])) * static_cast<double>(corners_[i][k]);
    return std::llround(sum / area_);
  }
  std::array<Edge, 3> edges_;
  double area_;
  std::array<Values, 3> corners_;
};

unsigned to_byte(std::int64_t value) {
  return static_cast<unsigned>(std::clamp<std::int64_t>((value + one / 2) >> 16, 0, 255));
}

/// Draws a row of a shape's border: one colour that fades.
void fading_span(const Pixels& pixels, const Gradient& g, int first, int last, int y, ui::Color color, unsigned cover) {
  std::uint8_t* pixel = pixels.at(first, y);
  std::int64_t a = g.start(alpha, first, y);
  const std::int64_t step = last - first > 1 ? g.step(alpha) : 0;
  for (int x = first; x < last; ++x, pixel += 4, a += step) {
    Pixels::blend(pixel, color, over_255(to_byte(a) * cover));
  }
}

void textured_span(const Pixels& pixels, const Texture& texture, const Gradient& g, int first, int last, int y) {
  Values now, step;
  for (const Value k : {alpha, red, green, blue, u, v}) {
    now[k] = g.start(k, first, y);
    step[k] = g.step(k);
  }
  std::uint8_t* pixel = pixels.at(first, y);
  for (int x = first; x < last; ++x, pixel += 4) {
    const auto channel = [&](Value k) { return static_cast<std::uint8_t>(to_byte(now[k])); };
    const ui::Color color{channel(red), channel(green), channel(blue), 255};
    Pixels::blend(pixel, color, over_255(channel(alpha) * texture.sample(now[u], now[v])));
    for (const Value k : {alpha, red, green, blue, u, v}) now[k] += step[k];
  }
}

Corner corner(const ImDrawVert& vertex) { return {to_fixed(vertex.pos.x), to_fixed(vertex.pos.y)}; }

bool same(ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; }

Box bounds(Corner a, Corner b, Corner c) {
  const auto [left, right] = std::minmax({a.x, b.x, c.x});
  const auto [top, bottom] = std::minmax({a.y, b.y, c.y});
  return {first_pixel(left), first_pixel(top), first_pixel(right) + 1, first_pixel(bottom) + 1};
}

/// Calls span(first, last, y) for each row of pixels inside the three edges.
template <class Span>
void rows(Box box, const std::array<Edge, 3>& edges, Span span) {
  for (int y = box.top; y < box.bottom; ++y) {
    int first = box.left, last = box.right;
    for (const Edge& edge : edges) edge.narrow(y, first, last);
    if (first < last) span(first, last, y);
  }
}

}  // namespace

Fixed to_fixed(float pixels) { return std::lround(std::clamp(pixels, -32768.f, 32768.f) * 256); }

ui::Color unpacked(ImU32 color) {
  const auto channel = [&](int shift) { return static_cast<std::uint8_t>(color >> shift & 255); };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), channel(IM_COL32_A_SHIFT)};
}

void draw_triangle(const Pixels& pixels, const Texture& texture, Box clip, const ImDrawVert& a, const ImDrawVert& b,
                   const ImDrawVert& c) {
  const Corner pa = corner(a), pb = corner(b), pc = corner(c);
  const std::int64_t area = (pb.x - pa.x) * (pc.y - pa.y) - (pb.y - pa.y) * (pc.x - pa.x);
  if (area == 0) return;
  if (area < 0) return draw_triangle(pixels, texture, clip, a, c, b);
  const Box box = common(clip, bounds(pa, pb, pc));
  const std::array<Edge, 3> edges{Edge(pb, pc), Edge(pc, pa), Edge(pa, pb)};  // edge i is opposite corner i

  const ImU32 differs = (a.col ^ b.col) | (a.col ^ c.col);
  const bool one_texel = same(a.uv, b.uv) && same(a.uv, c.uv);
  const unsigned cover = one_texel ? texture.sample(texture.across(a.uv.x), texture.down(a.uv.y)) : 255;
  ui::Color color = unpacked(a.col);
  if (one_texel && differs == 0) {
    color.alpha = static_cast<std::uint8_t>(over_255(color.alpha * cover));
    return rows(box, edges, [&](int first, int last, int y) { pixels.span(first, last, y, color); });
  }
  const Gradient gradient(edges, static_cast<double>(area),
                          {values_of(a, texture), values_of(b, texture), values_of(c, texture)});
  rows(box, edges, [&](int first, int last, int y) {
    if (one_texel && (differs & ~IM_COL32_A_MASK) == 0) {
      fading_span(pixels, gradient, first, last, y, color, cover);
    } else {
      textured_span(pixels, texture, gradient, first, last, y);
    }
  });
}

}  // namespace platform
