// Values of the tile at the playhead, for the panels of the matrix and of the softmax.
#pragma once
#include "viz/model/values/head_values.h"
#include "viz/panels/view.h"

namespace explorer {

struct SeenValues {
  /// Row block, and the step with the state it carries; null in kernels that do not visit rows of tiles step by step.
  RowValues* row = nullptr;
  const TileStep* step = nullptr;
  /// Statistics of each row that other kernels use; null if there are none.
  const RowsTask* numbers = nullptr;
  /// Content of the tile, event by event. Like the step, null until computed, and if there is none.
  const TileLayers* layers = nullptr;
};

/// Continues the computation, or starts another one if the playhead has moved elsewhere.
SeenValues seen_values(View& view, const TileMatrix& matrix);

}  // namespace explorer
