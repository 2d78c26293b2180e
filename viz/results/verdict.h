// Verdict of a formula check: the formula is right, right up to a factor, or departs, and along which axis.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "viz/results/sweep.h"

namespace results {

/// Collects ratio = count / formula of every row of a shard, in order. Ratios within 1 % of the first count as equal.
class FormulaVerdict {
 public:
  explicit FormulaVerdict(const Sweep& sweep) : sweep_(sweep) {}
  void add(double ratio, double formula);  ///< NaN: the point could not run
  std::string text() const;

 private:
  enum class Along { unknown, same, varies };
  std::string departure(const std::vector<std::int64_t>& rows, std::int64_t departing) const;
  std::string along_axes() const;
  Along along(std::size_t axis) const;
  std::string agreement(const std::vector<std::int64_t>& rows) const;
  double ratio(std::int64_t row) const { return ratios_[static_cast<std::size_t>(row)]; }

  const Sweep& sweep_;
  std::vector<double> ratios_;
  bool whole_ = true;  ///< formulas and counts are below 2^53, where doubles are exact for whole numbers
};

}  // namespace results
