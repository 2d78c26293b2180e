// Published times of a sweep's scenarios.
#pragma once
#include <string>
#include <vector>

#include "viz/results/sweep.h"

namespace terminal {

struct PublishedBeside {
  std::size_t at;  ///< index on the first axis
  double microseconds;
  std::string source;
};

/// Published, uncontradicted times of the sweep's points; empty unless its number is the predicted time.
std::vector<PublishedBeside> published_beside(const results::Sweep& sweep);

}  // namespace terminal
