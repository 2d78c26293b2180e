// The bytes that one CTA has moved across each boundary of the memory hierarchy, at any time of its run. A copy counts
// when it has arrived.
#pragma once
#include "viz/model/copy_sources.h"

namespace explorer {

/// Bytes across the boundaries of one CTA's way to memory; `read` goes down, towards the SM.
struct Crossed {
  sim::Traffic hbm;     ///< between HBM and L2, by the rule of CopySources
  sim::Traffic tile;    ///< between L2 and the SM: the tile traffic
  sim::Bytes operands;  ///< through the port of the shared memory, into registers and back
  friend bool operator==(const Crossed&, const Crossed&) = default;
};

class MovedBytes {
 public:
  MovedBytes() = default;
  MovedBytes(const sim::Trace& trace, const CopySources& sources);  ///< O(events log events)

  /// What has arrived by a time. O(log events).
  Crossed at(sim::Cycles time) const;

 private:
  struct Arrival {
    sim::Cycles time;
    Crossed sum;  // with all before it
  };
  std::vector<Arrival> arrivals_;
};

}  // namespace explorer
