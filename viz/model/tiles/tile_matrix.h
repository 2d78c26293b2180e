// The attention matrix as the kernel that is looked at cuts it into tiles, and how far the playhead is in it. Nothing
// is kept per tile: runs of equal tiles are found from the mask's intervals, so any size costs the same.
#pragma once
#include <array>
#include <vector>

#include "viz/model/subject.h"
#include "viz/model/task.h"

namespace explorer {

enum class TileState { to_do, current, done };

/// Neighbours in a row of tiles that look the same; blocks of columns.
struct TileRun {
  TileState state = TileState::to_do;
  sim::Interval cols;
};

/// What the kernel makes of the matrix of one head, at the time of the playhead. Other CTAs than the one that is looked
/// at have no time of their own here: those issued before it count as done, those after it as to do.
/// Inaccuracies: many CTAs run at once; where a CTA goes over its tiles more than once (two passes over the keys, or
/// the query heads of a group), the states are those of the pass that the playhead is in.
class TileMatrix {
 public:
  explicit TileMatrix(const Subject& subject);

  const sim::Shape& shape() const { return *shape_; }
  const sim::GridShape& grid() const { return grid_; }
  sim::Blocking rows, cols;  ///< the axes cut into blocks
  bool by_columns = false;   ///< tiles are taken column by column
  bool down = false;         ///< a CTA takes those of its row from the last to the first
  bool touched = true;       ///< false: the kernel works on no tile of the matrix
  std::int64_t row = 0, col = 0;
  std::int64_t part = 0;              ///< of the keys, that the CTA has where a grid splits them
  std::int32_t visit = -1;            ///< the newest visit of the CTA; -1 before the first
  bool working = false;               ///< and it still lasts
  std::int64_t pass = 0, passes = 1;  ///< how often the CTA goes over its row or column of tiles, and which time it is

  /// From the first to the last block of columns of this row that is visited.
  sim::Interval live(std::int64_t i) const;
  sim::Interval full(std::int64_t i) const;  ///< those without a hidden pair
  sim::Interval live_here() const;           ///< of the current row, from the first to the last that the CTA visits
  /// What of some columns of a row is visited: intervals, several where a pattern skips blocks between them.
  std::vector<sim::Interval> visited(std::int64_t i, sim::Interval cols) const;
  /// How many the CTA visits of the current row before the current column.
  std::int64_t visited_before() const;
  bool is_live(std::int64_t i, std::int64_t j) const { return visit_of(i).visits(j); }
  bool is_masked(std::int64_t i, std::int64_t j) const { return !full(i).contains({j, j + 1}); }
  TileState state(std::int64_t i, std::int64_t j) const;
  /// The tiles of a row from the first to the last that is visited; unused runs are empty. O(1).
  std::array<TileRun, 3> runs(std::int64_t i) const;
  /// The CTA that visits a tile: the one of the same batch entry and head.
  sim::CtaPlace cta_of(const sim::CtaPlace& here, std::int64_t i, std::int64_t j) const;
  /// Pairs of a tile that the mask leaves visible. O(rows of the tile).
  std::int64_t visible_pairs(std::int64_t i, std::int64_t j) const;

 private:
  sim::Visit visit_of(std::int64_t i) const;
  const sim::Shape* shape_;
  sim::GridShape grid_;
};

/// How many tiles are visited, and how many of them before a block of rows (or of columns): sums over all blocks.
class TileCounts : public Task {
 public:
  explicit TileCounts(const TileMatrix& matrix);
  bool advance() override;
  bool complete() const { return before_.size() == static_cast<std::size_t>(along_.count()) + 1; }
  std::int64_t all() const { return along_.count() * across_.count(); }
  std::int64_t live() const { return before_.back(); }
  std::int64_t masked() const { return masked_; }  ///< visited tiles with hidden pairs
  /// Those that are done at the playhead of `now`, the same matrix.
  std::int64_t done(const TileMatrix& now) const;

 private:
  sim::Visit visit(std::int64_t block) const;
  sim::Shape shape_;
  sim::GridShape grid_;
  sim::Blocking along_, across_;  // the axis whose blocks are summed over, and the other
  bool by_columns_;
  std::vector<std::int64_t> before_{0};
  std::int64_t masked_ = 0;
};

/// Names a matrix for Tasks::get: everything that its counts depend on.
std::string key_of(const TileMatrix& matrix);

}  // namespace explorer
