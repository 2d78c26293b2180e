// The editor of patterns, in pieces: the blocks that one paints, and beside them presets and what the run comes to.
#pragma once
#include "viz/model/painting.h"
#include "viz/panels/view.h"

namespace explorer {

/// What a fill means: in the grid, and in the legend.
void draw_block(View& view, ui::Rect place, BlockState state, bool shown);

/// The blocks, painted by the pointer and by the keys.
void draw_pattern_grid(View& view, ui::Rect rect);

/// The height of the column beside them, and the column.
float pattern_side_height(const View& view);
void draw_pattern_side(View& view, ui::Rect rect);

}  // namespace explorer
