// The explorer: its model and the window that shows it. The native window, the browser, `screenshot` and the tests run
// it on a platform::Screen; this class depends on none of them.
#pragma once
#include "viz/model/action.h"
#include "viz/model/model.h"
#include "viz/ui/hit.h"
#include "viz/ui/layout.h"

namespace explorer {

class Explorer {
 public:
  /// Opens a scenario that fills the card, unless a link overrides it.
  explicit Explorer(sim::GpuLookup gpu) : model(std::move(gpu), sim::filled_card()) {}

  Model model;

  /// Called before each frame: advances playback by `seconds`, and long computations by one slice. False if nothing
  /// moves: the next frame is then unchanged unless there is input.
  bool update(double seconds);
  /// Draws one frame of a window of `width` x `height` device pixels with `dpr` of them per CSS pixel.
  void draw(ui::Ui& ui, float width, float height, float dpr);
  /// Describes the current state, in sentences on one line: for users who cannot see the picture.
  std::string description() const;
  /// Device pixels per CSS pixel of a window's text; passed to platform::Screen::resize() before the frame.
  float scale(float width, float height, float dpr) const;
  ui::Theme theme() const { return model.state.look.theme == Theme::dark ? ui::dark_theme() : ui::light_theme(); }
};

// Keyboard input: maps keys to the actions of viz/model/action.h.

/// True if one of the keys of an action was pressed for this frame: "Ctrl+Left", "L", "?".
bool pressed(std::string_view keys);

/// Runs the actions whose keys were pressed for this frame. Does nothing while a list is open or a text field has
/// focus; under an overlay only its own keys apply, and letters that the widget under the pointer takes are left to it.
/// Call it between ImGui's NewFrame and the first panel.
void take_keys(Model& model, ui::UiState& state);

}  // namespace explorer
