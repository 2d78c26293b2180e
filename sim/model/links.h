// Links between memory levels: the bytes that cross them, and their capacity meanwhile.
#pragma once
#include <array>
#include <string_view>

#include "sim/model/simulation.h"

namespace sim {

/// One link during the predicted time of a run, or of one kernel.
struct LinkUse {
  std::string_view key;               ///< key in the JSON: "hbm"
  Bytes bytes;                        ///< in both directions
  std::int64_t bytes_per_second = 0;  ///< peak bandwidth
  double microseconds = 0;
  double percent_of_peak() const;  ///< 100 bytes / (bandwidth x time)
};
using LinkUses = std::array<LinkUse, 2>;

/// Returns the links between L2 and the SMs, then between HBM and L2: for the whole run, or for kernel k. O(kernels).
LinkUses links_of(const Simulation& simulation);
LinkUses links_of(const Simulation& simulation, std::size_t k);

}  // namespace sim
