// What a kernel knows of whole rows when it works on one of their tiles: the maximum and the sum of the softmax that
// the forward pass left behind, and D of the backward pass. One number per row, so the rows before a tile need not be
// kept.
#pragma once
#include <vector>

#include "sim/base/shape.h"
#include "viz/model/task.h"

namespace explorer {

/// Of each row; those that the kernel does not use are empty.
struct RowNumbers {
  sim::Interval queries;
  std::vector<float> m, l, L, D;

  /// Of some of the queries.
  RowNumbers part(sim::Interval some) const;
};

/// Finds them in slices.
class RowsTask : public Task {
 public:
  /// All rows; what is not known yet has no number.
  const RowNumbers& numbers() const { return numbers_; }
  bool done() const { return done_; }
  double share() const { return share_; }  ///< of the work, 0..1
  virtual std::int64_t bytes() const = 0;  ///< that it keeps

  bool advance() final {
    if (!done_) done_ = !slice();
    return !done_;
  }

 protected:
  /// False when nothing is left to do.
  virtual bool slice() = 0;
  RowNumbers numbers_;
  double share_ = 0;

 private:
  bool done_ = false;
};

}  // namespace explorer
