// Shapes with slanted and round edges, as triangles whose border fades over one pixel. The only file that passes shapes
// to Dear ImGui. It computes with + - * / and square roots alone, which IEEE 754 rounds identically on every processor,
// so that a picture is the same bytes everywhere. Dear ImGui's own shapes are not: they use the processor's approximate
// 1/sqrt(x), and sin and cos of the C library. tests/check_layers.sh keeps them out.
// Model: a corner is moved along its mitre, half a pixel inwards, and half a pixel outwards where its alpha is 0.
// Inaccuracies: a circle has corners; its edges lie at most 0.1 pixels inside of it, those of round corners 0.3. Mitres
// end at ten times the width.
#pragma once
#include <imgui.h>

#include <span>

#include "viz/ui/rect.h"

namespace ui {

/// The point of the unit circle at step / steps of a turn, clockwise from the right. `steps`: 4, 8, 16 ... 128.
Point on_circle(int step, int steps);

/// Fills an upright rectangle, its edges sharp.
void fill_rect(ImDrawList& list, Rect rect, ImU32 color);
/// Fills a rectangle with round corners; `radius` is at most half of a side.
void fill_round_rect(ImDrawList& list, Rect rect, float radius, ImU32 color);
/// Fills a convex shape, its corners clockwise on the screen. Points that repeat the previous one are dropped, here and
/// below.
void fill_convex(ImDrawList& list, std::span<const Point> corners, ImU32 color);
void fill_circle(ImDrawList& list, Point center, float radius, ImU32 color);

/// Draws lines of a width of at least 1, centred on the given points or edges.
void stroke(ImDrawList& list, std::span<const Point> points, float width, ImU32 color);
void stroke_round_rect(ImDrawList& list, Rect rect, float radius, float width, ImU32 color);
void stroke_circle(ImDrawList& list, Point center, float radius, float width, ImU32 color);

}  // namespace ui
