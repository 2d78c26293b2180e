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
  bookmark_set,  ///< a bookmark that is set
  next_bookmark,
  previous_bookmark,
  compare,  ///< two runs side by side
  search,
  more  ///< controls that did not fit
};

/// Draws an icon about 14 CSS pixels large. `behind` is the colour below it, for cut-outs.
void draw_icon(Canvas& canvas, Icon icon, Point center, Color color, Color behind);

}  // namespace ui
