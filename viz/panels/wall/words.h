// Texts of the wall: above its cells, on them and below them.
#pragma once
#include "viz/panels/wall/wall.h"

namespace explorer {

/// Draws the name of the run, the devices it needs, its peak and the tensors that make it up.
void draw_wall_words(const WallPair& pair, std::size_t half, ui::Rect rect);
/// Draws names of tensors that fill many cells, one head, and, if the other run has more, the bytes never written.
void draw_wall_labels(const WallPair& pair, std::size_t half, const std::vector<WallCells>& cells);
/// Draws the meaning of a cell, and the colours of the tensors.
void draw_wall_legend(const WallPair& pair, std::size_t half, const std::vector<WallCells>& cells, ui::Rect line);

}  // namespace explorer
