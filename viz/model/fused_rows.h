// The rows of a fused backward pass: L (or m and l), and D = rowsum(dO o O). The forward pass of these rows runs again
// for them, all its tiles; a backward tile may lie across several of its row blocks.
#pragma once
#include <memory>

#include "viz/model/row_block.h"
#include "viz/model/row_numbers.h"

namespace explorer {

class FusedRows : public RowsTask {
 public:
  /// Of some queries of a head (counted over all batch entries), as a backward kernel of the run's plan finds them.
  FusedRows(std::shared_ptr<const Run> run, const sim::Launch& backward, std::int64_t head, sim::Interval queries);
  std::int64_t bytes() const override;

 protected:
  bool slice() override;

 private:
  struct Walk {
    RowBlock block;
    RowState state;
  };
  const sim::Plan& plan() const { return run_->simulation.plan; }
  void next();
  void finish();
  std::vector<float> dots(const std::vector<float>& O) const;

  std::shared_ptr<const Run> run_;
  const sim::Launch* backward_;
  std::int64_t head_;
  std::vector<Walk> walks_;  ///< row blocks of the forward pass
  sim::Interval cols_;       ///< blocks of keys that one of them meets
  std::int64_t pass_ = 0, col_ = 0;
  std::size_t walk_ = 0;
  KeyRows keys_;
};

/// The fused forward kernel of a plan, whose results its backward pass reads; null when there is none.
const sim::Launch* fused_forward(const sim::Plan& plan);

}  // namespace explorer
