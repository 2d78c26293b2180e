// Drawing one frame for a test.
#pragma once
#include <functional>

#include "viz/platform/screen.h"

/// What `draw` draws on a screen of this size at scale 1, dark, by the software rasteriser.
inline platform::Picture draw_on(int width, int height, const std::function<void(ui::Canvas&)>& draw) {
  platform::Screen screen(width, height, 1);
  screen.frame(ui::dark_theme(), [&](ui::Ui& ui) { draw(ui.canvas); });
  return screen.picture();
}
