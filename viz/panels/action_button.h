// Buttons for actions that also have keys: a button and its key run the same action.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Draws a button for an action of viz/model/action.h and runs the action on a click. Its probe is the action's name;
/// under a mouse, a tooltip shows what it does and its key. If not `possible`, it is dimmed and has no probe.
void draw_action_button(View& view, ui::Rect rect, std::string_view action, ui::Icon icon,
                        ui::Weight weight = ui::Weight::normal, bool possible = true);

/// Draws a button whose tooltip describes it. True in the frame of the click.
bool draw_icon_button(View& view, ui::Rect rect, std::string_view id, ui::Icon icon, std::string_view tip,
                      std::string_view keys = {}, ui::Weight weight = ui::Weight::normal);

}  // namespace explorer
