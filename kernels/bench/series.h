// Repeated measurements as three numbers.
#pragma once
#include <cstdint>
#include <vector>

namespace bench {

/// The median and the quartiles around it, which one slow run does not move.
struct Series {
  double median = 0, low = 0, high = 0;
  std::int64_t runs = 0;
};

/// Of at least one value; between two values the mean by place, as usual. O(n log n).
Series series_of(std::vector<double> values);

/// The median; nothing of nothing.
double median_of(std::vector<double> values);

}  // namespace bench
