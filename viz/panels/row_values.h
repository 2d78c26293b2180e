// The values of the tile that the playhead is in, as the panels of the matrix and of the softmax ask for them.
#pragma once
#include "viz/model/tile_matrix.h"
#include "viz/model/tile_values.h"
#include "viz/panels/view.h"

namespace explorer {

struct SeenValues {
  const RowValues* row = nullptr;  ///< of its row block; null for kernels whose steps are not known
  const TileStep* tile = nullptr;  ///< null while it is computed, and where there is none
  std::int64_t step = 0;           ///< of the row block
};

/// Goes on with the computation, or begins another one when the playhead is elsewhere.
SeenValues seen_values(View& view, const TileMatrix& matrix);

}  // namespace explorer
