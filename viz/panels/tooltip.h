// Tooltips: a box of text next to the pointer, in front of everything else.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "viz/panels/view.h"

namespace explorer {

/// Draws lines of text at the pointer; the first one is the headline. The box never leaves the window; a line wider
/// than 420 CSS pixels ends in "…". Call it only for the hovered item.
void draw_tooltip(View& view, std::span<const std::string> lines);

/// Splits a long paragraph into lines for draw_tooltip: each fits the box.
std::vector<std::string> tooltip_lines(const View& view, std::string_view text);

/// Rectangle of a tooltip: below and right of the pointer, else on its other side, inside the window.
ui::Rect place_of_tooltip(ui::Point pointer, float width, float height, float gap, ui::Rect window);

}  // namespace explorer
