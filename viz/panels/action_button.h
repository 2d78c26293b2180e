// Buttons for the actions that have keys, too: both do the same.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Draws a button for an action of viz/model/action.h and runs the action on a click. Its probe is the action's name;
/// under a mouse it says in a tooltip what it does, and with which key. One that is not `possible` looks so and has no
/// probe.
void draw_action_button(View& view, ui::Rect rect, std::string_view action, ui::Icon icon,
                        ui::Weight weight = ui::Weight::normal, bool possible = true);

/// A button that says in a tooltip what it is. True in the frame of the click.
bool draw_icon_button(View& view, ui::Rect rect, std::string_view id, ui::Icon icon, std::string_view tip,
                      std::string_view keys = {}, ui::Weight weight = ui::Weight::normal);

}  // namespace explorer
