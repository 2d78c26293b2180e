// The values of one tile in the kernels without an online softmax along the keys: those of standard attention, and
// every backward pass. Their numbers of whole rows are computed first (RowsTask); then the kernel's own program runs
// only the iterations that the tile depends on.
#pragma once
#include <optional>

#include "viz/model/tiles/tile_matrix.h"
#include "viz/model/values/row_numbers.h"

namespace explorer {

/// A visit of a tile.
struct TilePlace {
  std::int64_t head = 0;          ///< query head, counted over all batch entries
  std::int64_t row = 0, col = 0;  ///< blocks of the kernel's grid
  std::int64_t pass = 0;          ///< number of earlier visits by the CTA
  friend bool operator==(const TilePlace&, const TilePlace&) = default;
};

/// The current or last visit of the playhead; the CTA's own position if there is none.
TilePlace place_of(const Subject& subject, const TileMatrix& matrix);

/// Computes the rows, unless they are done, then the tile.
class KernelTile : public Task {
 public:
  KernelTile(std::shared_ptr<const Run> run, std::size_t kernel, TilePlace place, std::shared_ptr<RowsTask> rows)
      : run_(std::move(run)), kernel_(kernel), place_(place), rows_(std::move(rows)) {}
  bool advance() override;
  /// The result; null until it is computed.
  const TileLayers* found() const { return found_ ? &*found_ : nullptr; }

 private:
  void begin();
  void finish();
  const sim::Plan& plan() const { return run_->simulation.plan; }
  const sim::Launch& launch() const { return plan().launches[kernel_]; }

  std::shared_ptr<const Run> run_;
  std::size_t kernel_;
  TilePlace place_;
  std::shared_ptr<RowsTask> rows_;
  Visit visit_;
  std::optional<CtaIterations> before_;  ///< the iterations that the tile depends on
  std::optional<TileLayers> found_;
};

}  // namespace explorer
