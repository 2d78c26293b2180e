// Text of several lines: rich text broken to a width, see sim/report/line_breaks.h.
#pragma once
#include "viz/ui/rich_text.h"

namespace ui {

/// The lines of a text that is `width` device pixels wide. Costs the length of the text.
std::vector<std::string_view> wrap(const Canvas& canvas, Style style, std::string_view markup, float width);

/// From one line to the next, in device pixels: 1.5 em.
float line_step(const Canvas& canvas, Style style);

/// What paragraph() needs from top to bottom.
float paragraph_height(const Canvas& canvas, Style style, std::string_view markup, float width);

/// Draws a text from the top of the box on. What does not fit below is left out, and the last line ends in "…".
/// Returns the height that was used.
float paragraph(Canvas& canvas, Rect box, Style style, const Ink& ink, std::string_view markup);

}  // namespace ui
