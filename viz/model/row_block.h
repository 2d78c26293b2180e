// The values of one row block, tile by tile: S and P, and m, l and O before and after each tile. The inputs are those
// that `flashscope simulate --numerics on` draws from the seed; only the blocks that are needed are drawn.
// The steps are those of the programs flash1, flash2 and memory-efficient, forward, on the same tile machine; the tests
// hold them to a replay with values, bit for bit.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "sim/base/attention.h"
#include "sim/machine/cta.h"
#include "viz/model/run.h"

namespace explorer {

/// What a row block carries from tile to tile, per row; O is row-major (rows, d). In flash1 O is the normalised one
/// that is stored in HBM, in the others the sum that is divided by l at the end. In the second pass of memory-efficient
/// attention m holds L.
struct RowState {
  std::vector<float> m, l, O;
};

/// One step of a row block. S is scaled and masked; P is before dropout and before it is rounded to the dtype.
struct TileStep {
  std::int64_t col = 0;  ///< block of keys
  sim::Interval queries, keys;
  std::vector<float> S, P;   ///< row-major
  std::vector<float> alpha;  ///< exp(m - m') per row; empty where nothing is rescaled
  RowState before, after;
};

/// Some rows in double: the same sums as they should be. O is divided by l at the end.
struct RowReference {
  std::vector<std::int64_t> rows;  ///< of the row block
  std::vector<double> m, l, O;     ///< O: (rows, d)
};

class RowBlock {
 public:
  /// Whether the steps of a kernel are known here.
  static bool knows(const sim::Launch& launch);

  /// Row block `row` of a query head of a batch entry. Throws sim::Error for a kernel that is not known.
  RowBlock(std::shared_ptr<const Run> run, std::size_t kernel, std::int64_t batch, std::int64_t head, std::int64_t row);

  std::int64_t steps() const { return tiles() * passes_; }
  std::int64_t tiles() const { return live_.size(); }  ///< those of the row that are not skipped
  std::int64_t col_of(std::int64_t step) const { return live_.begin + step % tiles(); }
  sim::Interval queries() const { return row_.elements(); }
  std::int64_t head_dim() const { return problem().shape.head_dim; }
  std::int64_t state_bytes() const { return 4 * queries().size() * (2 + head_dim()); }
  /// About how long a step takes on one core, in nanoseconds.
  double cost_of_step() const;

  RowState start() const;
  /// One step from the state before it. Adds its tile to the reference when there is one (in the last pass).
  TileStep step(std::int64_t step, RowState before, RowReference* reference = nullptr) const;
  /// O as it is stored at the end: divided by l and rounded to the dtype.
  std::vector<float> stored(const RowState& last) const;
  RowReference empty_reference(std::vector<std::int64_t> rows) const;
  /// The largest error of each row of the reference against O as it is stored.
  std::vector<double> errors(const RowState& last, const RowReference& reference) const;

 private:
  class Machine;
  const sim::Problem& problem() const { return run_->simulation.plan.problem; }
  const sim::Launch& launch() const { return run_->simulation.plan.launches[kernel_]; }
  std::vector<float> drawn(sim::DrawnTensor tensor, const sim::Block& block) const;
  void add_to(RowReference& reference, const sim::Block& j, std::span<const float> K, std::span<const float> V) const;

  std::shared_ptr<const Run> run_;
  std::size_t kernel_;
  std::int64_t head_, kv_head_;  ///< of all batch entries
  sim::Block row_;
  sim::Interval live_, full_;
  std::int64_t passes_ = 1;
  std::vector<float> Q_;
};

}  // namespace explorer
