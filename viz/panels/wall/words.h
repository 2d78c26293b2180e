// Words of the wall: above its cells, on them and below them.
#pragma once
#include "viz/panels/wall/wall.h"

namespace explorer {

/// Name of the run, how many devices it needs, its peak and what that is made of.
void draw_wall_words(const WallPair& pair, std::size_t half, ui::Rect rect);
/// Names of what fills many cells, one head of it, and, where the other run has more, what is never written.
void draw_wall_labels(const WallPair& pair, std::size_t half, const std::vector<WallCells>& cells);
/// Says what a cell is, and the colours of the tensors.
void draw_wall_legend(const WallPair& pair, std::size_t half, const std::vector<WallCells>& cells, ui::Rect line);

}  // namespace explorer
