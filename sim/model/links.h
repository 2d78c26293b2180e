// The links between levels of memory: what crosses them, and what they could carry meanwhile.
#pragma once
#include <array>
#include <string_view>

#include "sim/model/simulation.h"

namespace sim {

/// One link while a run, or one kernel, takes its predicted time.
struct LinkUse {
  std::string_view key;               ///< in the JSON: "hbm"
  Bytes bytes;                        ///< both ways
  std::int64_t bytes_per_second = 0;  ///< at its peak
  double microseconds = 0;
  double percent_of_peak() const;  ///< 100 bytes / (bandwidth x time)
};
using LinkUses = std::array<LinkUse, 2>;

/// Between L2 and the SMs, then between HBM and L2: of the whole run, or of kernel k. O(kernels).
LinkUses links_of(const Simulation& simulation);
LinkUses links_of(const Simulation& simulation, std::size_t k);

}  // namespace sim
