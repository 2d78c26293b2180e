// A row block of a kernel that goes along the keys, tile by tile: S and P, and m, l and O before and after each tile.
// The kernel's own program is run, iteration by iteration, on the rows of the block alone (sim/programs/row_window.h).
#pragma once
#include <memory>
#include <vector>

#include "sim/programs/row_window.h"
#include "viz/model/values/kernel_values.h"

namespace explorer {

/// The maximum and the sum of each row so far.
struct RowSums {
  std::vector<float> m, l;
};

/// Where a row block is between two tiles: its sums, and what its program needs to go on.
struct RowState : RowSums {
  sim::Keyframe keyframe;
  std::int64_t bytes() const { return keyframe.bytes() + static_cast<std::int64_t>(4 * (m.size() + l.size())); }
};

/// One step of a row block.
struct TileStep {
  std::int64_t col = 0;  ///< block of keys
  TileLayers layers;     ///< empty unless asked for, like O
  /// What the rows of O so far are multiplied with, exp(m - m') in most programs; empty where nothing is rescaled.
  std::vector<float> alpha;
  RowSums before;
  RowState after;
  std::vector<float> O;  ///< (rows, d), as the sum of the step left it
  /// False: a pass before this one ended with m and l, which stay as they are.
  bool max_runs = true, sum_runs = true;
  bool of_log_sum = false;    ///< the pass loads L: then m holds it
  bool reads_values = false;  ///< V comes into the sum
  double nanoseconds = 0;     ///< about how long it took on one core
};

class RowSteps {
 public:
  enum class Layers { dropped, kept };

  /// Row block `row` of a query head (counted over all batch entries) of a kernel of the run's plan, and of a grid that
  /// splits the keys part `part` of them. Throws sim::Error for a kernel that is no is_fused_forward().
  RowSteps(std::shared_ptr<const Run> run, std::size_t kernel, std::int64_t head, std::int64_t row, std::int64_t part,
           std::shared_ptr<sim::DrawnInputs> inputs);

  std::int64_t steps() const { return static_cast<std::int64_t>(visits_.size()); }
  std::int64_t tiles() const { return tiles_; }  ///< those of the row, or of its part, that are not skipped
  std::int64_t col_of(std::int64_t step) const { return visits_[static_cast<std::size_t>(step)].col; }
  sim::Interval keys_of(std::int64_t step) const;
  sim::Interval queries() const { return window_.queries(); }
  std::int64_t head() const { return head_; }
  const sim::Problem& problem() const { return run_->simulation.plan.problem; }
  sim::DrawnInputs& inputs() { return window_.inputs(); }

  RowState start() const;
  /// One step from the state before it.
  TileStep step(std::int64_t step, RowState before, Layers layers = Layers::dropped);
  /// O in HBM, or O_part of the part, as the last step leaves it behind: (rows, d).
  std::vector<float> stored() const;

 private:
  const sim::Launch& launch() const { return run_->simulation.plan.launches[kernel_]; }
  std::int64_t end_of(std::size_t step) const;
  void begin_again(TileStep& step) const;
  static void read_rows(const sim::Trace& trace, const Visit& visit, TileStep& step);

  std::shared_ptr<const Run> run_;
  std::size_t kernel_;
  std::int64_t head_;
  sim::Block row_, col_;  ///< of the CTA
  sim::RowWindow window_;
  std::vector<Visit> visits_;
  std::int64_t tiles_ = 0;
  bool writes_at_end_ = false;  ///< iterations after the last visit write to HBM
};

}  // namespace explorer
