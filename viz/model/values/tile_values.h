// Values of tiles as sliced tasks: a sweep over a whole row block, and one selected tile. Both save states on the way,
// so that a tile is at most a few steps away.
#pragma once
#include <map>
#include <optional>

#include "viz/model/task.h"
#include "viz/model/values/kernel_values.h"
#include "viz/model/values/row_reference.h"

namespace explorer {

using sim::RowState;
using sim::RowSteps;
using sim::RowSums;

/// One step of a row block, with the tile that it leaves.
struct TileStep : sim::TileStep {
  TileLayers layers;
};

/// A run's plan, which lives as long as the run does.
inline std::shared_ptr<const sim::Plan> plan_of(const std::shared_ptr<const Run>& run) {
  return {run, &run->simulation.plan};
}

/// A row block with saved states: before every few steps already reached, and at the tile selected last.
struct RowHistory {
  /// Most bytes of the states of a row block, unless there are many row blocks.
  static constexpr std::int64_t most_bytes = std::int64_t{16} << 20;

  explicit RowHistory(RowSteps of, std::int64_t most = most_bytes) : block(std::move(of)), most_(most) {}

  std::int64_t steps_per_state() const { return steps_per_state_; }
  void keep(std::int64_t step, const RowState& state);  ///< state before the step
  void look(std::int64_t step, const RowState& state);  ///< like keep(), for the selected tile; replaces the last one
  /// The newest state at or before a step, and the step that it precedes.
  std::pair<std::int64_t, RowState> nearest(std::int64_t step) const;
  std::int64_t bytes() const;

  RowSteps block;

 private:
  void thin_out();
  std::int64_t most_, steps_per_state_ = 1, kept_bytes_ = 0;
  std::map<std::int64_t, RowState> kept_;
  std::optional<std::pair<std::int64_t, RowState>> looked_at_;
};

/// Runs from the nearest state to one step, whose layers it keeps.
class TileValues : public Task {
 public:
  TileValues(std::shared_ptr<RowHistory> history, std::int64_t step);
  bool advance() override;
  /// The result; null until it is computed.
  const TileStep* found() const { return found_ ? &*found_ : nullptr; }

 private:
  std::shared_ptr<RowHistory> history_;
  std::int64_t wanted_, at_;
  RowState state_;
  std::optional<TileStep> found_;
};

/// Runs all steps of a row block; at the end computes the errors of some of its rows.
class RowValues : public Task {
 public:
  static constexpr std::int64_t most_rows = 12;  ///< rows checked against the reference, evenly spread
  /// Takes row block `row` and part `part` of the keys of a query head, counted over all batch entries.
  RowValues(const std::shared_ptr<const Run>& run, std::size_t kernel, std::int64_t head, std::int64_t row,
            std::int64_t part, std::shared_ptr<sim::DrawnInputs> inputs,
            std::int64_t most_bytes = RowHistory::most_bytes);
  bool advance() override;
  RowSteps& block() const { return history_->block; }
  std::shared_ptr<RowHistory> history() const { return history_; }
  std::int64_t bytes() const { return history_->bytes(); }
  std::int64_t done() const { return at_; }                        ///< steps
  const std::vector<std::int64_t>& rows() const { return rows_; }  ///< rows of the block
  /// The largest error of O as stored, for each of the rows; empty until all steps are done.
  const std::vector<double>& errors() const { return errors_; }
  /// Range of m in the rows over all steps so far, for the axes of a picture.
  float least_max() const { return least_max_; }
  float most_max() const { return most_max_; }
  float most_sum() const { return most_sum_; }

 private:
  void note(const RowState& state);
  std::shared_ptr<RowHistory> history_;
  std::int64_t at_ = 0;
  RowState state_;
  std::vector<std::int64_t> rows_;
  RowReference reference_;
  std::vector<double> errors_;
  float least_max_ = 0, most_max_ = 0, most_sum_ = 0;
};

}  // namespace explorer
