// The attention matrix as the selected kernel cuts it into tiles, and its state at the playhead. Nothing is stored per
// tile: runs of equal tiles follow from the mask's intervals, so every size costs the same.
#pragma once
#include <array>
#include <vector>

#include "viz/model/subject.h"
#include "viz/model/task.h"

namespace explorer {

enum class TileState { to_do, current, done };

/// Adjacent tiles of a row in the same state; blocks of columns.
struct TileRun {
  TileState state = TileState::to_do;
  sim::Interval cols;
};

/// Tiles of the matrix of one head, as the kernel has processed them at the playhead. CTAs other than the selected one
/// have no time of their own here: those issued earlier count as done, later ones as to do. Inaccuracies: many CTAs run
/// at once; if a CTA visits its tiles more than once (two passes over the keys, or the query heads of a group), the
/// states are those of the current pass.
class TileMatrix {
 public:
  explicit TileMatrix(const Subject& subject);

  const sim::Shape& shape() const { return *shape_; }
  const sim::GridShape& grid() const { return grid_; }
  sim::Blocking rows, cols;  ///< the axes cut into blocks
  bool by_columns = false;   ///< tiles are issued column by column
  bool down = false;         ///< a CTA visits the tiles of its row from last to first
  bool touched = true;       ///< false: the kernel uses no tile of the matrix
  std::int64_t row = 0, col = 0;
  std::int64_t part = 0;              ///< part of the keys that the CTA takes if the grid splits them
  std::int32_t visit = -1;            ///< the newest visit of the CTA; -1 before the first
  bool working = false;               ///< the visit is still under way
  std::int64_t pass = 0, passes = 1;  ///< current pass of the CTA over its row or column of tiles, and their number

  /// Interval from the first to the last block of columns that is visited in this row.
  sim::Interval live(std::int64_t i) const;
  sim::Interval full(std::int64_t i) const;  ///< blocks without a hidden pair
  sim::Interval live_here() const;           ///< from the first to the last block that the CTA visits in this row
  /// The visited blocks among some columns of a row: several intervals if a pattern skips blocks between them.
  std::vector<sim::Interval> visited(std::int64_t i, sim::Interval cols) const;
  /// Number of blocks that the CTA visits in the current row before the current column.
  std::int64_t visited_before() const;
  bool is_live(std::int64_t i, std::int64_t j) const { return visit_of(i).visits(j); }
  bool is_masked(std::int64_t i, std::int64_t j) const { return !full(i).contains({j, j + 1}); }
  TileState state(std::int64_t i, std::int64_t j) const;
  /// The tiles of a row from the first to the last visited; unused runs are empty. O(1).
  std::array<TileRun, 3> runs(std::int64_t i) const;
  /// The CTA of the same batch entry and head that visits a tile.
  sim::CtaPlace cta_of(const sim::CtaPlace& here, std::int64_t i, std::int64_t j) const;
  /// Pairs of a tile that the mask leaves visible. O(rows of the tile).
  std::int64_t visible_pairs(std::int64_t i, std::int64_t j) const;

 private:
  sim::Visit visit_of(std::int64_t i) const;
  const sim::Shape* shape_;
  sim::GridShape grid_;
};

/// Counts of visited tiles, in total and before a block of rows (or of columns): sums over all blocks.
class TileCounts : public Task {
 public:
  explicit TileCounts(const TileMatrix& matrix);
  bool advance() override;
  bool complete() const { return before_.size() == static_cast<std::size_t>(along_.count()) + 1; }
  std::int64_t all() const { return along_.count() * across_.count(); }
  std::int64_t live() const { return before_.back(); }
  std::int64_t masked() const { return masked_; }  ///< visited tiles with hidden pairs
  /// Number of tiles done at the playhead of `now`, which must be the same matrix.
  std::int64_t done(const TileMatrix& now) const;

 private:
  sim::Visit visit(std::int64_t block) const;
  sim::Shape shape_;
  sim::GridShape grid_;
  sim::Blocking along_, across_;  // axis over whose blocks the sums run, and the other axis
  bool by_columns_;
  std::vector<std::int64_t> before_{0};
  std::int64_t masked_ = 0;
};

/// Key of a matrix for Tasks::get_for(): everything that its counts depend on.
std::string key_of(const TileMatrix& matrix);

}  // namespace explorer
