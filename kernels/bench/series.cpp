#include "kernels/bench/series.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"

namespace bench {
namespace {

/// Quantile of sorted values: `part` is 0 for the first, 1 for the last.
double at(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place), above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

Series series_of(std::vector<double> values) {
  sim::require(!values.empty(), "bench: nothing was measured");
  std::sort(values.begin(), values.end());
  return {at(values, 0.5), at(values, 0.25), at(values, 0.75), std::ssize(values)};
}

double median_of(std::vector<double> values) { return series_of(std::move(values)).median; }

}  // namespace bench
