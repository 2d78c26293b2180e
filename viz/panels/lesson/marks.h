// Shapes that mark an answer: the state is never shown by colour alone.
#pragma once
#include <optional>

#include "viz/panels/view.h"

namespace explorer {

enum class Mark { asked, hint, wrong, right, shown };

/// Draws a mark of about 20 CSS pixels: a dashed ring with ?, a bubble, a ring with a cross, a disc with a check, a
/// disc with an eye.
void draw_mark(View& view, ui::Point center, Mark mark);

/// Draws a dashed frame, which marks the learner's answer, not the run's.
void draw_dashed_frame(View& view, ui::Rect box, ui::Color color);

/// A number as a bar, to scale with others.
struct Bar {
  std::string_view label;
  std::string value;
  float share = 0;                      ///< ratio to the largest bar
  bool given = false;                   ///< given by the learner, not by the run: a dashed frame
  std::optional<ui::Color> color = {};  ///< colour of the tensor counted
  int stripes = 1;                      ///< passes of that tensor
};
/// Draws the label at the left, the bar, and its value where the bar leaves space.
void draw_bar(View& view, ui::Rect line, const Bar& bar);

}  // namespace explorer
