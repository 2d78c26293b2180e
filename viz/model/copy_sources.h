// Source of each copy of one CTA: HBM, or the L2 in front of it. The model of L2 (sim/model/hbm_traffic.h) gives, per
// tensor, the bytes that cross between HBM and L2, but not which blocks cross. The rule here, identical in both
// directions:
//
//    the first touch of a block in the grid, in issue order, crosses;
//    of the later touches of a tensor, the number that the model gives crosses, evenly spread.
//
// Inaccuracies: as above; the touched bytes of a tensor are taken to be all of it.
#pragma once
#include "sim/model/kernel_meters.h"
#include "sim/programs/run.h"

namespace explorer {

class CopySources {
 public:
  CopySources() = default;
  CopySources(const sim::Plan& plan, const sim::Launch& launch, const sim::KernelMeters& kernel, sim::CtaPlace place,
              const sim::Trace& trace);  ///< O(events log blocks)

  /// True if the data that an event reads comes from HBM; otherwise it is in L2.
  bool read_from_hbm(std::int32_t event) const { return (crossings_[static_cast<std::size_t>(event)] & 1) != 0; }
  /// True if the data that it writes reaches HBM; otherwise it is overwritten in L2 first.
  bool written_to_hbm(std::int32_t event) const { return (crossings_[static_cast<std::size_t>(event)] & 2) != 0; }

 private:
  std::vector<std::uint8_t> crossings_;  // 1: read from HBM, 2: written to it
};

}  // namespace explorer
