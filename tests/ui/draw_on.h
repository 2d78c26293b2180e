// Draws one frame for a test.
#pragma once
#include <functional>

#include "viz/platform/screen.h"

/// The picture that `draw` draws on a dark screen of this size at scale 1, by the software rasteriser.
inline platform::Picture draw_on(int width, int height, const std::function<void(ui::Canvas&)>& draw) {
  platform::Screen screen(width, height, 1);
  screen.frame(ui::dark_theme(), [&](ui::Ui& ui) { draw(ui.canvas); });
  return screen.picture();
}
