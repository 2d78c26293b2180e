// Parts of the softmax panel.
#pragma once
#include "viz/model/tiles/tile_matrix.h"
#include "viz/model/values/row_numbers.h"
#include "viz/panels/panels.h"

namespace explorer {

/// Statistics known at the playhead: maximum, sum and D of this tile only after their events.
struct Moment {
  bool max_known = false, sum_known = false, dot_known = false;
};
Moment moment_of(const Subject& subject, const TileMatrix& matrix);

/// A number of a row: "−∞", "2.63".
std::string row_number(const char* format, float value);

/// True if a kernel uses numbers of its rows that it did not carry from tile to tile.
bool uses_numbers(const sim::Launch& launch);
/// Draws those numbers, instead of an online softmax, and their use.
void draw_row_numbers(View& view, ui::Rect rect, const TileMatrix& matrix, const RowsTask& rows);

}  // namespace explorer
