// The panels of the gallery.
#pragma once
#include "tests/ui/gallery.h"
#include "viz/ui/rect.h"

namespace gallery {

/// Draws a card with a title and a caption at its right; returns the space inside.
ui::Rect card(ui::Canvas& canvas, ui::Rect rect, std::string_view title, std::string_view caption);

void draw_memory(ui::Canvas& canvas, ui::Rect rect);
void draw_matrix(ui::Canvas& canvas, ui::Rect rect, int tiles);
void draw_code(ui::Canvas& canvas, ui::Rect rect);
void draw_styles(ui::Ui& ui, ui::Rect rect, Values& values);
void draw_timeline(ui::Ui& ui, ui::Rect rect, Values& values);

}  // namespace gallery
