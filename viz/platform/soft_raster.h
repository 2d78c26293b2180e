// Rasterises Dear ImGui's draw data without a graphics card, a driver or a display: identical pixels on every machine.
// Model: triangles with integer edge functions on a grid of 1/256 pixel, sampled at pixel centres, top-left rule;
// colours and texture coordinates in fixed point; bilinear texture; "over" blending in sRGB bytes, like the window.
// Source: OpenGL 4.6 specification, sections 14.6.1 (rasterisation) and 17.3.6 (blending); J. Pineda, "A parallel
// algorithm for polygon rasterization", 1988.
// Inaccuracies: no multisampling; ImGui smooths edges with a border of its own. Callbacks in draw lists are skipped.
#pragma once
#include <imgui.h>

#include "viz/platform/picture.h"

namespace platform {

/// Draws `drawn` on a background. The picture has the size of its display, in pixels; all shapes use the atlas. Costs
/// about 30 ns per small upright rectangle or glyph, 150 ns per small triangle of another shape, and 1 ns per blended
/// pixel. Throws sim::Error for displays below 1 or above 16384 pixels a side, or that do not start at 0, 0.
Picture rasterize(const ImDrawData& drawn, ImFontAtlas& atlas, ui::Color background);

/// x / 255 rounded to the nearest, for 0 <= x <= 65535: exact.
constexpr unsigned over_255(unsigned x) { return (x + 128 + ((x + 128) >> 8)) >> 8; }

}  // namespace platform
