// Marks and legend of the tile picker.
#pragma once
#include <functional>

#include "viz/model/tiles/tile_plane.h"
#include "viz/panels/view.h"

namespace explorer {

/// Fill of a cell: the fewer bytes, or the less time, the closer to the text's colour. Logarithmic.
ui::Color shade_of(const ui::Theme& theme, const TilePlane& plane, sim::Goal goal, double cost);

/// Fractional index of a size among others; below 0 if outside.
float position_of(const std::vector<std::int64_t>& sizes, std::int64_t size);

/// Draws a frame around the current tiles, a disc on the best, a ring on those of the kernels' own rule. `cell`:
/// rectangle at a row and column, which may be fractional.
void draw_tile_marks(View& view, const TilePlane& plane, sim::Goal goal,
                     const std::function<ui::Rect(float row, float col)>& cell);

/// Draws the dot of tiles that a kernel is compiled for: all other times are estimated.
void draw_compiled(View& view, const TilePlane& plane, const sim::TriedTiles& tiles, ui::Rect cell);

/// Draws the ramp with its ends, and the meaning of the marks with their tile sizes.
void draw_tile_legend(View& view, const TilePlane& plane, sim::Goal goal, ui::Rect rect);

}  // namespace explorer
