// Where the copies of one CTA come from: HBM, or the L2 before it. The model of L2 (sim/model/hbm_traffic.h) knows by
// tensor how many bytes cross between HBM and L2, not which block does. The rule here, the same for both directions:
//
//   the first touch of a block in the grid, in issue order, crosses;
//   of the later touches of a tensor as many as the model says, evenly spread.
//
// Inaccuracies: as above; the bytes of a tensor that are touched at all are taken to be all of it.
#pragma once
#include "sim/model/kernel_meters.h"
#include "sim/programs/run.h"

namespace explorer {

class CopySources {
 public:
  CopySources() = default;
  CopySources(const sim::Plan& plan, const sim::Launch& launch, const sim::KernelMeters& kernel, sim::CtaPlace place,
              const sim::Trace& trace);  ///< O(events log blocks)

  /// Whether what an event reads comes from HBM, else it is in L2.
  bool read_from_hbm(std::int32_t event) const { return (crossings_[static_cast<std::size_t>(event)] & 1) != 0; }
  /// Whether what it writes goes on to HBM, else it is written over in L2 before.
  bool written_to_hbm(std::int32_t event) const { return (crossings_[static_cast<std::size_t>(event)] & 2) != 0; }

 private:
  std::vector<std::uint8_t> crossings_;  // 1: read from HBM, 2: written to it
};

}  // namespace explorer
