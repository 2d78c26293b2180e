// Text of several lines: rich text broken to a width, see sim/report/line_breaks.h.
#pragma once
#include "viz/ui/rich_text.h"

namespace ui {

/// Lines of a text, broken at `width` device pixels. O(length of the text).
std::vector<std::string_view> wrap(const Canvas& canvas, Style style, std::string_view markup, float width);

/// Distance between lines, in device pixels: 1.5 em.
float line_step(const Canvas& canvas, Style style);

/// Height that paragraph() needs.
float paragraph_height(const Canvas& canvas, Style style, std::string_view markup, float width);

/// Draws a text from the top of the box. Lines that do not fit are left out, and the last one drawn ends in "…".
/// Returns the height used.
float paragraph(Canvas& canvas, Rect box, Style style, const Ink& ink, std::string_view markup);

}  // namespace ui
