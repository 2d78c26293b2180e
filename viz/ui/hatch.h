// Hatches and dashes: fills and lines that differ without colour. Lines of hatches are one device pixel wide.
#pragma once
#include <span>

#include "viz/ui/canvas.h"

namespace ui {

enum class Hatch { none, diagonal, vertical, horizontal, dots, chevrons, squares, arrows };

/// Draws a hatch over a rectangle.
void draw_hatch(Canvas& canvas, Rect place, Hatch hatch, Color color);

/// Lengths in CSS pixels, alternately drawn and skipped; empty: a solid line.
using Dashes = std::span<const float>;

/// Draws a polyline; dashes continue around corners.
void dashed_line(Canvas& canvas, std::span<const Point> points, Color color, float width, Dashes dashes);

}  // namespace ui
