// Reference rows of O in double, computed key by key by code that shares nothing with the programs.
#pragma once
#include <span>
#include <vector>

#include "sim/programs/drawn_rows.h"

namespace explorer {

class RowReference {
 public:
  /// Rows of a query head, counted over all batch entries.
  RowReference(const sim::Problem& problem, std::int64_t head, std::vector<std::int64_t> queries);
  const std::vector<std::int64_t>& queries() const { return queries_; }

  /// Adds the next keys. This is the online softmax: rescaling by exp(m - m') loses nothing in double.
  void add(sim::Interval keys, sim::DrawnInputs& inputs);
  /// The largest error of each row of O; O is divided by l here. `O` has the rows from `first` on.
  std::vector<double> errors(std::span<const float> O, std::int64_t first) const;

 private:
  void add_row(std::size_t n, sim::Interval seen, sim::DrawnInputs& inputs);
  std::vector<double> scores_of(std::size_t n, sim::Interval seen, sim::DrawnInputs& inputs) const;
  const sim::Problem& problem_;
  std::int64_t head_;
  std::vector<std::int64_t> queries_;
  std::vector<double> m_, l_, O_;  ///< O: (queries, d)
};

}  // namespace explorer
