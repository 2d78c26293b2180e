// Published times of the scenarios of a sweep.
#pragma once
#include <string>
#include <vector>

#include "viz/results/sweep.h"

namespace terminal {

struct PublishedBeside {
  std::size_t at;  ///< on the first axis
  double microseconds;
  std::string source;
};

/// The published times of its points that nobody contradicts; none unless its number is the predicted time.
std::vector<PublishedBeside> published_beside(const results::Sweep& sweep);

}  // namespace terminal
