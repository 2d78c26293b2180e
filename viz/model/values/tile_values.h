// Values of one tile of a row block as a sliced task. It saves states on the way, so that a tile near one that was
// shown is at most a few steps away.
#pragma once
#include <map>
#include <optional>

#include "viz/model/task.h"
#include "viz/model/values/kernel_values.h"

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

}  // namespace explorer
