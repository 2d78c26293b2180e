// Keyboard input: maps keys to the actions of viz/model/action.h.
#pragma once
#include "viz/model/action.h"
#include "viz/ui/hit.h"

namespace explorer {

/// True if one of the keys of an action was pressed for this frame: "Ctrl+Left", "L", "?".
bool pressed(std::string_view keys);

/// Runs the actions whose keys were pressed for this frame. Does nothing while a list is open or a text field has
/// focus; under an overlay only its own keys apply, and letters that the widget under the pointer takes are left to it.
/// Call it between ImGui's NewFrame and the first panel.
void take_keys(ViewModel& model, ui::UiState& state);

}  // namespace explorer
