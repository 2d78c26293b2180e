// The values of one tile in the kernels that do not walk along rows of tiles: those of standard attention, and every
// backward pass. What they know of whole rows comes first (RowsTask), then the tile's own arithmetic runs as its
// program has it; the tests hold each layer to a replay with values.
#pragma once
#include <optional>

#include "viz/model/fused_rows.h"
#include "viz/model/standard_rows.h"
#include "viz/model/tile_matrix.h"

namespace explorer {

/// A visit of a tile.
struct TilePlace {
  std::int64_t head = 0;          ///< query head, counted over all batch entries
  std::int64_t row = 0, col = 0;  ///< blocks of the kernel's grid
  std::int64_t pass = 0;          ///< how often the CTA was here before
  bool masked = false;            ///< it has a mask to apply
};

/// The visit that the playhead is in or was in last; the CTA's place where there is none.
TilePlace place_of(const Subject& subject, const TileMatrix& matrix);

/// Whether a kernel has tiles here.
bool knows_tiles(const sim::Launch& launch);

/// The queries whose rows a tile in row `row` needs: its own, or those of the block in which their scores were made.
sim::Interval queries_needed(const sim::Plan& plan, const sim::Launch& launch, std::int64_t row);

/// The rows of a kernel that knows_tiles() or works on whole rows of queries; of its row block `row`.
std::shared_ptr<RowsTask> make_rows(const std::shared_ptr<const Run>& run, std::size_t kernel, std::int64_t head,
                                    std::int64_t row);

/// First the rows, unless they are there; then the tile.
class KernelTile : public Task {
 public:
  KernelTile(std::shared_ptr<const Run> run, std::size_t kernel, TilePlace place, std::shared_ptr<RowsTask> rows)
      : run_(std::move(run)), kernel_(kernel), place_(place), rows_(std::move(rows)) {}
  bool advance() override;
  /// Null until it is there.
  const TileLayers* found() const { return found_ ? &*found_ : nullptr; }

 private:
  std::shared_ptr<const Run> run_;
  std::size_t kernel_;
  TilePlace place_;
  std::shared_ptr<RowsTask> rows_;
  std::optional<TileLayers> found_;
};

}  // namespace explorer
