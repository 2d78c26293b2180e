// The values of the tile that the playhead is in, as the panels of the matrix and of the softmax ask for them.
#pragma once
#include "viz/model/values/head_values.h"
#include "viz/panels/view.h"

namespace explorer {

struct SeenValues {
  /// Of kernels that go along rows of tiles: the row block, and the step with what it carries; null in others.
  RowValues* row = nullptr;
  const TileStep* step = nullptr;
  /// Of the others: what they use of each row; null where it is nothing.
  const RowsTask* numbers = nullptr;
  /// What the tile holds, event by event. Null, like the step, while it is computed and where there is none.
  const TileLayers* layers = nullptr;
};

/// Goes on with the computation, or begins another one when the playhead is elsewhere.
SeenValues seen_values(View& view, const TileMatrix& matrix);

}  // namespace explorer
