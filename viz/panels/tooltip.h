// What a thing under the pointer is: a box of text beside the pointer, before everything else.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "viz/panels/view.h"

namespace explorer {

/// Draws lines of text at the pointer; the first one is the headline. The box never leaves the window; what is wider
/// than 420 CSS pixels ends in "…". Call it for the one thing that is hovered.
void draw_tooltip(View& view, std::span<const std::string> lines);

/// The lines of a paragraph that is too long for one, as draw_tooltip takes them: each fits the box.
std::vector<std::string> tooltip_lines(const View& view, std::string_view text);

/// Where a box of that size stands beside a pointer: right below it, else on the other side of it, inside the window.
ui::Rect place_of_tooltip(ui::Point pointer, float width, float height, float gap, ui::Rect window);

}  // namespace explorer
