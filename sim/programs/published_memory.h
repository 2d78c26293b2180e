// Memory that was measured and published, as a program's entry states it.
#pragma once
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace sim {

/// What a measured framework allocated for one forward and backward pass of attention.
struct PublishedMemory {
  Bytes bytes;
  std::string equation;                  ///< with B batch, H heads, N queries and keys, d head dimension, e bytes
  std::string source;                    ///< table and what ran
  std::vector<std::string> differences;  ///< what it holds that the replayed program does not, and the reverse
};

}  // namespace sim
