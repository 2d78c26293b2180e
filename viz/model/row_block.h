// The values of one row block, tile by tile: S and P, and m, l and O before and after each tile. The inputs are those
// that `flashscope simulate --numerics on` draws from the seed; only the blocks that are needed are drawn.
// The steps are those of the programs flash1 (as in the paper and as released), flash2 and memory-efficient, forward,
// on the same tile machine; the tests hold them to a replay with values, bit for bit.
#pragma once
#include <memory>
#include <vector>

#include "viz/model/run.h"
#include "viz/model/tile_machine.h"

namespace explorer {

/// What a row block carries from tile to tile, per row; O is row-major (rows, d). In flash1 O is the normalised one
/// that is stored in HBM, in the others the sum that is divided by l at the end. In the second pass of memory-efficient
/// attention m holds L. flash1 as released carries L, which is m + log l of the step before.
struct RowState {
  std::vector<float> m, l, O;
};

/// K and V of a block of keys.
struct KeyRows {
  std::vector<float> K, V;
};

/// One step of a row block.
struct TileStep {
  std::int64_t col = 0;  ///< block of keys
  TileLayers layers;     ///< empty unless asked for
  /// What the rows of O so far are multiplied with, exp(m - m') in most programs; empty where nothing is rescaled.
  std::vector<float> alpha;
  RowState before, after;
};

/// Some rows in double: the same sums as they should be. O is divided by l at the end.
struct RowReference {
  std::vector<std::int64_t> rows;  ///< of the row block
  std::vector<double> m, l, O;     ///< O: (rows, d)
};

class RowBlock {
 public:
  /// Whether a kernel goes along rows of tiles in steps that are known here.
  static bool knows(const sim::Launch& launch);

  /// Row block `row` of a query head (counted over all batch entries) of a kernel of the run's plan. Throws sim::Error
  /// for a kernel that is not known.
  RowBlock(std::shared_ptr<const Run> run, const sim::Launch& launch, std::int64_t head, std::int64_t row);

  std::int64_t steps() const { return tiles() * passes_; }
  std::int64_t passes() const { return passes_; }
  std::int64_t tiles() const { return live_.size(); }  ///< those of the row that are not skipped
  sim::Interval live() const { return live_; }         ///< their columns
  std::int64_t col_of(std::int64_t step) const { return live_.begin + step % tiles(); }
  sim::Interval queries() const { return row_.elements(); }
  std::int64_t head_dim() const { return problem().shape.head_dim; }
  std::int64_t state_bytes() const { return 4 * queries().size() * (2 + head_dim()); }
  /// About how long a step takes on one core, and how long it takes to draw its keys, in nanoseconds.
  double cost_of_step() const;
  double cost_of_keys() const;

  RowState start() const;
  /// K and V of a step, drawn: O(block of keys x d).
  KeyRows keys_of(std::int64_t step) const;
  /// One step from the state before it.
  TileStep step(std::int64_t step, RowState before, const KeyRows& keys,
                TileMachine::Layers layers = TileMachine::Layers::dropped) const;
  /// O as it is stored at the end: divided by l and rounded to the dtype.
  std::vector<float> stored(const RowState& last) const;
  /// L = m + log l of each row at the end, as the backward pass finds it.
  std::vector<float> log_sum_exp(const RowState& last) const;
  RowReference empty_reference(std::vector<std::int64_t> rows) const;
  /// Adds the tile of a step; only those of the last pass count.
  void add_to(RowReference& reference, std::int64_t step, const KeyRows& rows) const;
  /// The largest error of each row of the reference against O as it is stored.
  std::vector<double> errors(const RowState& last, const RowReference& reference) const;

 private:
  class Machine;
  const sim::Plan& plan() const { return run_->simulation.plan; }
  const sim::Problem& problem() const { return plan().problem; }
  const sim::Launch& launch() const { return *launch_; }
  sim::Block keys_block(std::int64_t step) const;

  std::shared_ptr<const Run> run_;
  const sim::Launch* launch_;
  std::int64_t head_;
  sim::Block row_;
  sim::Interval live_, full_;
  std::int64_t passes_ = 1;
  std::vector<float> Q_;
};

}  // namespace explorer
