// Icons, drawn with triangles, discs and bars: no font has all of them.
#pragma once
#include "viz/ui/canvas.h"

namespace ui {

enum class Icon {
  play,
  pause,
  step,
  step_back,
  to_start,
  to_end,
  share,
  theme,
  help,
  undo,
  redo,
  options,
  close,
  tour,
  next,
  previous,
  loop,
  bookmark,
  bookmark_set,  ///< one that is there
  next_bookmark,
  previous_bookmark,
  compare,  ///< two runs beside each other
  search,
  more  ///< controls that had no room
};

/// Draws an icon about 14 CSS pixels large. `behind` is the colour below it, for what is cut out of it.
void draw_icon(Canvas& canvas, Icon icon, Point center, Color color, Color behind);

}  // namespace ui
