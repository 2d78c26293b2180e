// A picture with every widget, style, equation and colour, laid out as the explorer. Its numbers are made up.
#pragma once
#include "viz/ui/hit.h"
#include "viz/ui/layout.h"

namespace gallery {

/// State of the gallery's widgets.
struct Values {
  int algorithm = 2, device = 0, length = 1, speed = 2, tab = 0;
  bool causal = true, playing = false;
  float position = 0.42f, offset = 0;
  int shared = 0;  ///< clicks on share
  int tiles = 16;  ///< per side of the matrix
};

/// Draws one frame of the gallery.
void draw(ui::Ui& ui, const ui::Layout& layout, Values& values);

}  // namespace gallery
