// Cached values of a head in a kernel: row blocks with intermediate states, and numbers of rows. In flash1 and in
// backward passes the playhead moves from one row block to the next and returns to each one column later; the tile then
// resumes from the saved state of its row block.
#pragma once
#include "viz/model/model.h"
#include "viz/model/recent.h"
#include "viz/model/values/kernel_tile.h"
#include "viz/model/values/tile_values.h"

namespace explorer {

/// A task in name only: it has nothing to compute itself.
class HeadValues : public Task {
 public:
  /// Most bytes of the states of all row blocks, and of the row numbers that kernels need; in addition the inputs,
  /// most_bytes of sim::DrawnRows each. A single row block may have RowHistory::most_bytes, or the matrices of its
  /// rows.
  static constexpr std::int64_t most_bytes = std::int64_t{96} << 20;

  /// Values of a query head, counted over all batch entries.
  HeadValues(std::shared_ptr<const Run> run, std::size_t kernel, std::int64_t head)
      : run_(std::move(run)),
        kernel_(kernel),
        head_(head),
        inputs_(std::make_shared<sim::DrawnInputs>(run_->simulation.plan, head)) {}
  bool advance() override { return false; }

  /// A row block of a kernel for which is_fused_forward() is true, on part `part` of the keys if it splits them.
  std::shared_ptr<RowHistory> row(std::int64_t row, std::int64_t part = 0);
  /// The row numbers that any other kernel needs for one of its tiles.
  std::shared_ptr<RowsTask> numbers(const TilePlace& place);
  std::int64_t bytes() const { return rows_.bytes() + numbers_.bytes(); }

 private:
  std::shared_ptr<const Run> run_;
  std::size_t kernel_;
  std::int64_t head_;
  std::shared_ptr<sim::DrawnInputs> inputs_;
  Recent<RowHistory> rows_{most_bytes};
  Recent<RowsTask> numbers_{most_bytes};
};

/// The tile at the playhead of a run, event by event: continues its computation, or starts another one if the playhead
/// has moved elsewhere. Null until it is computed, and if there is none.
const TileLayers* layers_seen(const Model& model, std::size_t run, const TileMatrix& matrix);
/// The numbers of whole rows that the kernel in view uses, as they are computed; null if it uses none.
std::shared_ptr<RowsTask> numbers_seen(const Model& model, std::size_t run, const TileMatrix& matrix);

}  // namespace explorer
