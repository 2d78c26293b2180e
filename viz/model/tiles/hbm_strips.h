// The tensors that a kernel touches in HBM, cut into cells, and the time at which one CTA touches each cell: past and
// future. A cell is a block; if there are too many, several adjacent blocks.
#pragma once
#include "sim/programs/run.h"
#include "sim/trace/tensors.h"

namespace explorer {

/// A cell, with the time from the start of its first touch to the end of the last. Untouched cells have event -1.
struct HbmCell {
  std::int32_t event = -1;  ///< the first event that touches it
  sim::Cycles begin, end;
};

/// One tensor as the CTA sees it: a row of cells, block by block and query head by query head; for a score matrix one
/// such row per block of queries.
struct HbmStrip {
  sim::Tensor tensor = sim::Tensor::none;
  bool is_read = false, is_written = false;
  std::int64_t rows = 0, cols = 0;              ///< elements per head
  std::int64_t heads = 1;                       ///< query heads that the CTA takes
  std::int64_t bytes = 0;                       ///< total of these heads
  std::int64_t block_rows = 1, block_cols = 1;  ///< elements of a block
  std::int64_t cell_rows = 1, cell_cols = 1;    ///< elements of a cell, in whole blocks
  std::int64_t across = 1, down = 1;            ///< number of cells
  std::vector<HbmCell> cells;                   ///< row-major
  std::vector<sim::Cycles> first_touches;       ///< first touch of each touched cell, ascending

  const HbmCell& cell(std::int64_t x, std::int64_t y) const { return cells[static_cast<std::size_t>(y * across + x)]; }
  bool is_matrix() const { return is_score_matrix(tensor); }
  /// Share of the touched cells whose first touch has begun. O(log cells).
  double share_begun(sim::Cycles time) const;
  /// A block's edges in the picture, as shares of its width and height.
  struct Part {
    double left, right, top, bottom;
  };
  Part part_of(const sim::Event& event) const;
};

/// Every tensor that the launch names, in the order of reports. O(events + cells that they touch).
std::vector<HbmStrip> hbm_strips(const sim::Problem& problem, const sim::Launch& launch, const sim::Trace& trace);

}  // namespace explorer
