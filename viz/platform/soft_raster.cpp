#include "viz/platform/soft_raster.h"

#include <cmath>

#include "sim/base/check.h"
#include "viz/platform/pixels.h"
#include "viz/platform/texture.h"
#include "viz/platform/triangle.h"

namespace platform {
namespace {

bool same(ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; }

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
