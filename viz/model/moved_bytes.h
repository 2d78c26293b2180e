// Bytes that one CTA has moved across each boundary of the memory hierarchy, at any time of its run. A copy counts once
// it has completed.
#pragma once
#include "viz/model/copy_sources.h"

namespace explorer {

/// Bytes that a CTA moves across the boundaries on its path to memory; `read` is towards the SM.
struct Crossed {
  sim::Traffic hbm;     ///< between HBM and L2, by the rule of CopySources
  sim::Traffic tile;    ///< between L2 and the SM: the tile traffic
  sim::Bytes operands;  ///< through the shared-memory port, to and from registers
  friend bool operator==(const Crossed&, const Crossed&) = default;
};

class MovedBytes {
 public:
  MovedBytes() = default;
  MovedBytes(const sim::Trace& trace, const CopySources& sources);  ///< O(events log events)

  /// Bytes of the copies completed at a time. O(log events).
  Crossed at(sim::Cycles time) const;

 private:
  struct Arrival {
    sim::Cycles time;
    Crossed sum;  // cumulative, including this copy
  };
  std::vector<Arrival> arrivals_;
};

}  // namespace explorer
