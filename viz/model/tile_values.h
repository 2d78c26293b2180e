// The values of tiles as slices of long work: a sweep over a whole row block, and one tile that is looked at. Both keep
// states on their way, so that a tile is at most a few steps away.
#pragma once
#include <map>
#include <optional>

#include "viz/model/row_block.h"
#include "viz/model/task.h"

namespace explorer {

/// A row block with states of it: before step 0, and before every few steps once they were reached.
struct RowHistory {
  explicit RowHistory(RowBlock of) : block(std::move(of)) { kept.emplace(0, block.start()); }

  /// Most bytes of the states of a row block.
  static constexpr std::int64_t most_bytes = std::int64_t{16} << 20;
  std::int64_t steps_per_state() const;
  void keep(std::int64_t step, const RowState& state);  ///< before that step
  std::int64_t bytes() const { return static_cast<std::int64_t>(kept.size()) * block.state_bytes(); }

  RowBlock block;
  std::map<std::int64_t, RowState> kept;
};

/// From the nearest state to one step.
class TileValues : public Task {
 public:
  TileValues(std::shared_ptr<RowHistory> history, std::int64_t step);
  bool advance() override;
  /// Null until it is there.
  const TileStep* found() const { return found_ ? &*found_ : nullptr; }

 private:
  std::shared_ptr<RowHistory> history_;
  std::int64_t wanted_, at_;
  RowState state_;
  std::optional<TileStep> found_;
};

/// All steps of a row block, with the errors of some of its rows at the end.
class RowValues : public Task {
 public:
  static constexpr std::int64_t most_rows = 12;  ///< that are held to the reference, evenly spread
  RowValues(std::shared_ptr<const Run> run, std::size_t kernel, std::int64_t batch, std::int64_t head,
            std::int64_t row);
  bool advance() override;
  const RowBlock& block() const { return history_->block; }
  std::shared_ptr<RowHistory> history() const { return history_; }
  std::int64_t done() const { return at_; }  ///< steps
  const std::vector<std::int64_t>& rows() const { return reference_.rows; }
  /// Of O as it is stored, the largest in each of the rows; empty until all steps are done.
  const std::vector<double>& errors() const { return errors_; }
  /// How large m and l get in the rows, over all steps so far: for the axes of a picture.
  float least_max() const { return least_max_; }
  float most_max() const { return most_max_; }
  float most_sum() const { return most_sum_; }

 private:
  void note(const RowState& state);
  std::shared_ptr<RowHistory> history_;
  std::int64_t at_ = 0;
  RowState state_;
  RowReference reference_;
  std::vector<double> errors_;
  float least_max_ = 0, most_max_ = 0, most_sum_ = 0;
};

}  // namespace explorer
