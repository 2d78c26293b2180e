// Shapes with slanted and round edges, as triangles whose border fades over one pixel. The only file that gives Dear
// ImGui shapes, and it calculates with + - * / and square roots alone: IEEE 754 rounds those the same on every
// processor, so that a picture is the same bytes everywhere. Dear ImGui's own shapes are not: they take the processor's
// approximate 1/sqrt(x), and sin and cos of the C library. tests/check_layers.sh keeps them out.
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

/// An upright rectangle, its edges sharp.
void fill_rect(ImDrawList& list, Rect rect, ImU32 color);
/// A rectangle with round corners; `radius` is at most half of a side.
void fill_round_rect(ImDrawList& list, Rect rect, float radius, ImU32 color);
/// A convex shape, its corners clockwise on the screen. Points that repeat the one before are left out, here and below.
void fill_convex(ImDrawList& list, std::span<const Point> corners, ImU32 color);
void fill_circle(ImDrawList& list, Point center, float radius, ImU32 color);

/// Lines of a width of at least 1 with their middle on what is given.
void stroke(ImDrawList& list, std::span<const Point> points, float width, ImU32 color);
void stroke_round_rect(ImDrawList& list, Rect rect, float radius, float width, ImU32 color);
void stroke_circle(ImDrawList& list, Point center, float radius, float width, ImU32 color);

}  // namespace ui
