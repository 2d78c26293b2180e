// Badges of roles, to identify the one that acts. Colours stay with tensors.
#pragma once
#include <string_view>

#include "viz/panels/view.h"

namespace explorer {

/// Draws a badge "P", "1": white on dark, ink on light; framed where it is not the chosen one of several.
void draw_role_badge(View& view, ui::Rect place, std::string_view badge, bool chosen = true);

/// Draws the badge of a role as a button: steps stop at what this role begins, and at all roles when it is clicked
/// again. `id` names the widget.
void draw_badge_button(View& view, std::string_view id, ui::Rect place, std::string_view badge, std::size_t role);

}  // namespace explorer
