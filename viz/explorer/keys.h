// The keyboard: which action of viz/model/action.h a key means.
#pragma once
#include "viz/model/action.h"
#include "viz/ui/hit.h"

namespace explorer {

/// Whether one of the keys of an action was pressed for this frame: "Ctrl+Left", "L", "?".
bool pressed(std::string_view keys);

/// Runs the actions whose keys were pressed for this frame. Nothing happens while a list is open or something is typed
/// into; under an overlay only its own keys count, and not letters that the widget under the pointer takes. Call it
/// between ImGui's NewFrame and the first panel.
void take_keys(ViewModel& model, ui::UiState& state);

}  // namespace explorer
