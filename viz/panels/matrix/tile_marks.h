// The marks and the legend of the tile picker.
#pragma once
#include <functional>

#include "viz/model/tiles/tile_plane.h"
#include "viz/panels/view.h"

namespace explorer {

/// The fill of a cell: the fewer bytes, or the less time, the closer to the text's colour. Logarithmic.
ui::Color shade_of(const ui::Theme& theme, const TilePlane& plane, sim::Goal goal, double cost);

/// Where a size stands among others, as an index between them; below 0: outside.
float position_of(const std::vector<std::int64_t>& sizes, std::int64_t size);

/// A frame around the current tiles, a disc on the best, a ring on those of the kernels' own rule. `cell`: the place of
/// a row and a column, which may lie between two.
void draw_tile_marks(View& view, const TilePlane& plane, sim::Goal goal,
                     const std::function<ui::Rect(float row, float col)>& cell);

/// The ramp with its ends, what the marks mean, and what is on them.
void draw_tile_legend(View& view, const TilePlane& plane, sim::Goal goal, ui::Rect rect);

}  // namespace explorer
