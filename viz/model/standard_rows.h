// The rows of standard attention: the maximum and the sum of the softmax over whole rows, and D = rowsum(P o dP), in
// the order of the kernels that sum them; and what any tile of these rows holds in HBM.
#pragma once
#include "viz/model/standard_matrix.h"

namespace explorer {

class StandardRows : public RowsTask {
 public:
  /// Most bytes of the scores, and of dP, that are kept while a row is summed; more rows are summed in turns.
  static constexpr std::int64_t most_bytes = std::int64_t{16} << 20;

  /// Of some queries of a head (counted over all batch entries), as far as a kernel of the run's plan needs them.
  StandardRows(std::shared_ptr<const Run> run, const sim::Launch& launch, std::int64_t head, sim::Interval queries);
  std::int64_t bytes() const override;

  /// A tile of these rows as it lies in HBM. Null tensors have no tile: throws sim::Error. Only once all is done.
  std::vector<float> stored(sim::Tensor tensor, sim::Interval queries, sim::Interval keys) const;
  const StandardMatrix& matrix() const { return matrix_; }

  /// Of a single row, the maximum, the sum and D after each block of keys that its kernel takes.
  struct Running {
    std::vector<float> m, l, D;
  };
  const Running& running() const { return running_; }

 protected:
  bool slice() override;

 private:
  std::vector<float> scores(sim::Interval queries, sim::Interval keys) const;
  std::vector<float> gradients(sim::Interval queries, sim::Interval keys) const;
  void take(std::int64_t col);
  void sum(std::int64_t query);
  void dot(std::int64_t query);
  bool next_group();
  double cost_of_tile() const;

  StandardMatrix matrix_;
  bool sums_, dots_;
  std::int64_t keys_;          ///< of a row
  sim::Interval group_;        ///< the queries whose rows are held
  std::vector<float> S_, dP_;  ///< of the group: masked scores and dP as the softmax reads them
  std::int64_t col_ = 0;       ///< block of keys of the product that comes next
  std::int64_t row_ = 0;       ///< of the group, that is summed next
  bool of_gradients_ = false;  ///< dP is under way
  Running running_;
};

}  // namespace explorer
