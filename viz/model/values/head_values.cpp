#include "viz/model/values/head_values.h"

#include <algorithm>

namespace explorer {

/// Memory budget per row block: if one CTA visits all row blocks, they share it, so that each can be resumed.
std::shared_ptr<RowValues> HeadValues::row(std::int64_t row, std::int64_t part) {
  const sim::Plan& plan = run_->simulation.plan;
  const sim::GridShape grid = plan.launches[kernel_].grid;
  const std::int64_t blocks = grid.cuts_rows() ? 1 : sim::ceil_div(plan.problem.shape.seqlen_q, grid.br);
  const std::int64_t most = std::min(RowHistory::most_bytes, most_bytes / blocks);
  const std::int64_t key = row * std::max<std::int64_t>(1, plan.problem.parts) + part;
  return rows_.get(key, [&] { return std::make_shared<RowValues>(run_, kernel_, head_, row, part, inputs_, most); });
}

/// The numbers for a tile. Kernels of single tiles only need the rows of their tile.
std::shared_ptr<RowsTask> HeadValues::numbers(const TilePlace& place) {
  const sim::Plan& plan = run_->simulation.plan;
  const sim::GridShape& grid = plan.launches[kernel_].grid;
  const bool of_tile = grid.of_tiles();
  const std::int64_t key = place.row * plan.problem.shape.seqlen_k + (of_tile ? place.col : 0);
  const KernelRows of{kernel_, head_, place.row, place.col};
  return numbers_.get(key, [&] { return std::make_shared<RowsTask>(run_, of, inputs_); });
}

}  // namespace explorer
