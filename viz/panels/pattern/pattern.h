// Parts of the editor of patterns: the grid of blocks to paint, and a column of presets and results of the run.
#pragma once
#include "viz/model/painting.h"
#include "viz/panels/view.h"

namespace explorer {

/// Draws a block's fill, in the grid and in the legend.
void draw_block(View& view, ui::Rect place, BlockState state, bool shown);

/// Draws the blocks, painted by the pointer and by the keys.
void draw_pattern_grid(View& view, ui::Rect rect);

/// Height of the column next to the blocks; draw_pattern_side() draws it.
float pattern_side_height(const View& view);
void draw_pattern_side(View& view, ui::Rect rect);

}  // namespace explorer
