// Common parts of drop-downs and number fields: the field itself, and a list of options that opens over the rest of the
// window.
#pragma once
#include <span>

#include "viz/ui/hit.h"

namespace ui {

/// Draws a field with a muted label, and a triangle if it has a list. Returns the rectangle of the value.
Rect draw_field(Canvas& canvas, Rect rect, std::string_view label, Hit h, bool open, bool list);
/// Width of a field without its value.
float field_width(const Canvas& canvas, std::string_view label, bool list);

/// Draws the list of a field: an ImGui window of its own, in front of everything else. Returns the chosen option. A
/// choice, a click elsewhere and Escape end UiState::open. The probes of the options are "id/name", or "id/option" if
/// no names are given.
int option_list(Ui& ui, std::string_view id, Rect field, std::span<const std::string_view> options, int selected,
                std::span<const std::string_view> names = {});

/// True if the button was pressed in this frame, outside a rectangle.
bool clicked_outside(Rect rect);

}  // namespace ui
