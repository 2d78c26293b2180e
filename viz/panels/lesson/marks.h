// Shapes that say how an answer was: never by a colour.
#pragma once
#include <optional>

#include "viz/panels/view.h"

namespace explorer {

enum class Mark { asked, hint, wrong, right, shown };

/// About 20 CSS pixels large: a dashed ring with ?, a bubble, a ring with a cross, a disc with a check, one with an
/// eye.
void draw_mark(View& view, ui::Point center, Mark mark);

/// A frame that a learner drew, not the run.
void draw_dashed_frame(View& view, ui::Rect box, ui::Color color);

/// A number beside others, to scale.
struct Bar {
  std::string_view label;
  std::string value;
  float share = 0;                      ///< of the largest
  bool given = false;                   ///< by the learner, not by the run: a dashed frame
  std::optional<ui::Color> color = {};  ///< of the tensor that it counts
  int stripes = 1;                      ///< how often that passes
};
/// Its label at the left, and its value where the bar leaves room.
void draw_bar(View& view, ui::Rect line, const Bar& bar);

}  // namespace explorer
