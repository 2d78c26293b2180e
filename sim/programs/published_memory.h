// Measured and published memory, for the entry of a program.
#pragma once
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace sim {

/// Memory that a framework allocated for one forward and backward pass of attention.
struct PublishedMemory {
  Bytes bytes;
  std::string equation;                  ///< with B batch, H heads, N queries and keys, d head dimension, e bytes
  std::string source;                    ///< table, and the measured code
  std::vector<std::string> differences;  ///< tensors that it holds and the replayed program does not, and vice versa
};

}  // namespace sim
