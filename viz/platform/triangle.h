// Triangles of any shape for soft_raster.
#pragma once
#include "viz/platform/pixels.h"
#include "viz/platform/texture.h"

namespace platform {

/// A coordinate in 1/256 pixel.
using Fixed = std::int64_t;

/// The nearest 1/256 pixel; coordinates outside every picture are clamped to a value outside.
Fixed to_fixed(float pixels);

/// The first pixel whose centre is at or beyond a coordinate: the first inside for a left or top edge, the first
/// outside for a right or bottom edge.
inline int first_pixel(Fixed edge) { return static_cast<int>((edge + 127) >> 8); }

ui::Color unpacked(ImU32 color);

/// Draws the triangle a b c, in either orientation, clipped to `clip`. Colour and texture vary linearly between the
/// corners. A pixel on an edge shared by two triangles is drawn once.
void draw_triangle(const Pixels& pixels, const Texture& texture, Box clip, const ImDrawVert& a, const ImDrawVert& b,
                   const ImDrawVert& c);

}  // namespace platform
