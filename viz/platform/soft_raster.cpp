#include "viz/platform/soft_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "sim/base/check.h"

namespace platform {
namespace {

// Pixel writes of soft_raster: opaque, clipped, blended in bytes.

/// A box of whole pixels, including left and top, excluding right and bottom.
struct Box {
  int left, top, right, bottom;
};

Box common(Box a, Box b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

/// Writes to an opaque picture.
class Pixels {
 public:
  explicit Pixels(Picture& picture) : bytes_(picture.rgba.data()), width_(static_cast<std::size_t>(picture.width)) {}

  /// The pixels of a row from column x.
  std::uint8_t* at(int x, int y) const {
    return bytes_ + (static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)) * 4;
  }

  /// Blends one pixel: color * alpha + old * (255 - alpha), alpha of 255.
  static void blend(std::uint8_t* pixel, ui::Color color, unsigned alpha) {
    const unsigned rest = 255 - alpha;
    pixel[0] = static_cast<std::uint8_t>(over_255(color.red * alpha + pixel[0] * rest));
    pixel[1] = static_cast<std::uint8_t>(over_255(color.green * alpha + pixel[1] * rest));
    pixel[2] = static_cast<std::uint8_t>(over_255(color.blue * alpha + pixel[2] * rest));
  }

  /// Fills pixels left .. right - 1 of a row with one colour.
  void span(int left, int right, int y, ui::Color color) const {
    std::uint8_t* pixel = at(left, y);
    if (color.alpha == 255) {
      const std::uint8_t bytes[4] = {color.red, color.green, color.blue, 255};
      for (int x = left; x < right; ++x, pixel += 4) std::memcpy(pixel, bytes, 4);
    } else if (color.alpha > 0) {
      for (int x = left; x < right; ++x, pixel += 4) blend(pixel, color, color.alpha);
    }
  }

 private:
  std::uint8_t* bytes_;
  std::size_t width_;
};

// The glyph atlas as read by soft_raster: one byte per texel, bilinear.

/// A texture coordinate or distance in 1/65536 texel. Texel 0 has its centre at 0.
using Texels = std::int64_t;

class Texture {
 public:
  explicit Texture(ImFontAtlas& atlas) { atlas.GetTexDataAsAlpha8(&texels_, &width_, &height_); }

  /// Texel coordinates of texture coordinates 0..1.
  Texels across(float u) const { return std::llround((static_cast<double>(u) * width_ - 0.5) * 65536); }
  Texels down(float v) const { return std::llround((static_cast<double>(v) * height_ - 0.5) * 65536); }

  /// Coverage 0..255, interpolated between the four texels around (u, v); the border texels extend outwards.
  unsigned sample(Texels u, Texels v) const {
    const std::uint8_t* upper = row(v >> 16);
    const auto down = static_cast<unsigned>(v >> 8 & 255);
    const unsigned above = between(upper, u);
    if (down == 0) return (above + 128) >> 8;  // text is aligned to rows: one is enough
    return (above * (256 - down) + between(row((v >> 16) + 1), u) * down + 32768) >> 16;
  }

 private:
  const std::uint8_t* row(Texels y) const { return texels_ + std::clamp<Texels>(y, 0, height_ - 1) * width_; }
  /// Interpolates between two texels of a row, times 256.
  unsigned between(const std::uint8_t* row, Texels u) const {
    const auto right = static_cast<unsigned>(u >> 8 & 255);
    const Texels x = u >> 16;
    const unsigned a = row[std::clamp<Texels>(x, 0, width_ - 1)], b = row[std::clamp<Texels>(x + 1, 0, width_ - 1)];
    return a * (256 - right) + b * right;
  }
  unsigned char* texels_ = nullptr;
  int width_ = 0, height_ = 0;
};

// Triangles of any shape for soft_raster.

/// A coordinate in 1/256 pixel.
using Fixed = std::int64_t;

/// The first pixel whose centre is at or beyond a coordinate: the first inside for a left or top edge, the first
/// outside for a right or bottom edge.
int first_pixel(Fixed edge) { return static_cast<int>((edge + 127) >> 8); }

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

ui::Color unpacked(ImU32 color) {
  const auto channel = [&](int shift) { return static_cast<std::uint8_t>(color >> shift & 255); };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), channel(IM_COL32_A_SHIFT)};
}

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

/// The nearest 1/256 pixel; coordinates outside every picture are clamped to a value outside.
Fixed to_fixed(float pixels) { return std::lround(std::clamp(pixels, -32768.f, 32768.f) * 256); }

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

/// Draws the triangle a b c, in either orientation, clipped to `clip`. Colour and texture vary linearly between the
/// corners. A pixel on an edge shared by two triangles is drawn once.
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

// Draw lists: most of their triangles form upright rectangles in one colour.

/// True if triangles a b c and a c d form an upright rectangle in one colour, as in most draw lists; a is the top left.
bool upright(const ImDrawIdx* i, const ImDrawVert* vertices) {
  if (i[3] != i[0] || i[4] != i[2]) return false;
  const ImDrawVert &a = vertices[i[0]], &b = vertices[i[1]], &c = vertices[i[2]], &d = vertices[i[5]];
  return a.pos.y == b.pos.y && b.pos.x == c.pos.x && c.pos.y == d.pos.y && d.pos.x == a.pos.x && a.pos.x < c.pos.x &&
         a.pos.y < c.pos.y && a.col == b.col && a.col == c.col && a.col == d.col;
}

/// Draws a glyph: one colour, with the texture between the corners a (top left) and c as coverage.
void draw_glyph(const Pixels& pixels, const Texture& texture, Box box, const ImDrawVert& a, const ImDrawVert& c) {
  const ui::Color color = unpacked(a.col);
  const double left = static_cast<double>(texture.across(a.uv.x)), top = static_cast<double>(texture.down(a.uv.y));
  const double du = (static_cast<double>(texture.across(c.uv.x)) - left) / (c.pos.x - a.pos.x);
  const double dv = (static_cast<double>(texture.down(c.uv.y)) - top) / (c.pos.y - a.pos.y);
  const Texels u = std::llround(left + (box.left + 0.5 - a.pos.x) * du), step = std::llround(du);
  for (int y = box.top; y < box.bottom; ++y) {
    const Texels v = std::llround(top + (y + 0.5 - a.pos.y) * dv);
    std::uint8_t* pixel = pixels.at(box.left, y);
    Texels at = u;
    for (int x = box.left; x < box.right; ++x, pixel += 4, at += step) {
      const unsigned alpha = over_255(texture.sample(at, v) * color.alpha);
      if (alpha > 0) Pixels::blend(pixel, color, alpha);
    }
  }
}

void draw_upright(const Pixels& pixels, const Texture& texture, Box clip, const ImDrawVert& a, const ImDrawVert& c) {
  const Box box = common(clip, {first_pixel(to_fixed(a.pos.x)), first_pixel(to_fixed(a.pos.y)),
                                first_pixel(to_fixed(c.pos.x)), first_pixel(to_fixed(c.pos.y))});
  if (box.left >= box.right) return;
  if (!same(a.uv, c.uv)) return draw_glyph(pixels, texture, box, a, c);
  ui::Color color = unpacked(a.col);
  const unsigned cover = texture.sample(texture.across(a.uv.x), texture.down(a.uv.y));
  color.alpha = static_cast<std::uint8_t>(over_255(color.alpha * cover));
  for (int y = box.top; y < box.bottom; ++y) pixels.span(box.left, box.right, y, color);
}

void draw_command(const Pixels& pixels, const Texture& texture, Box clip, const ImDrawCmd& command,
                  const ImDrawList& list) {
  const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
  const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
  const ImDrawIdx* end = index + command.ElemCount;
  while (end - index >= 3) {
    const ImDrawVert &a = vertices[index[0]], &b = vertices[index[1]], &c = vertices[index[2]];
    const bool two = end - index >= 6 && upright(index, vertices);
    if (two) {
      draw_upright(pixels, texture, clip, a, c);
    } else {
      draw_triangle(pixels, texture, clip, a, b, c);
    }
    index += two ? 6 : 3;
  }
}

Picture filled(int width, int height, ui::Color color) {
  const std::size_t pixel_count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  Picture picture{width, height, std::vector<std::uint8_t>(pixel_count * 4)};
  const Pixels pixels(picture);
  color.alpha = 255;
  for (int y = 0; y < height; ++y) pixels.span(0, width, y, color);
  return picture;
}

int whole(float pixels) { return static_cast<int>(std::floor(pixels)); }

}  // namespace

Picture rasterize(const ImDrawData& drawn, ImFontAtlas& atlas, ui::Color background) {
  const ImVec2 size = drawn.DisplaySize, origin = drawn.DisplayPos;
  sim::require(size.x >= 1 && size.y >= 1 && size.x <= 16384 && size.y <= 16384, "soft_raster: a display of ", size.x,
               " x ", size.y, " pixels; 1 to 16384 a side can be drawn");
  sim::require(origin.x == 0 && origin.y == 0, "soft_raster: the display begins at ", origin.x, ", ", origin.y,
               "; it must begin at 0, 0");
  Picture picture = filled(whole(size.x), whole(size.y), background);
  const Pixels pixels(picture);
  const Texture texture(atlas);
  for (int i = 0; i < drawn.CmdListsCount; ++i) {
    const ImDrawList& list = *drawn.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback) continue;
      const ImVec4 r = command.ClipRect;
      const Box clip = common({0, 0, picture.width, picture.height}, {whole(r.x), whole(r.y), whole(r.z), whole(r.w)});
      if (clip.left < clip.right && clip.top < clip.bottom) draw_command(pixels, texture, clip, command, list);
    }
  }
  return picture;
}

}  // namespace platform
