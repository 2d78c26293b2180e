// Repeated measurements as three numbers.
#pragma once
#include <cstdint>
#include <vector>

namespace bench {

/// Median and quartiles, which one slow run does not move.
struct Series {
  double median = 0, low = 0, high = 0;
  std::int64_t runs = 0;
};

/// Summarises at least one value; quantiles are interpolated linearly. O(n log n).
Series series_of(std::vector<double> values);

/// Returns the median of at least one value.
double median_of(std::vector<double> values);

}  // namespace bench
