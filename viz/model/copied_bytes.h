// The bytes that a replayed CTA has moved up to any time.
#pragma once
#include <vector>

#include "sim/trace/trace.h"

namespace explorer {

class CopiedBytes {
 public:
  CopiedBytes() = default;
  /// O(events log events).
  explicit CopiedBytes(const sim::Trace& trace);
  /// What the copies that had left their engine at a time have moved across the SRAM boundary. O(log events).
  sim::Traffic at(sim::Cycles time) const;

 private:
  std::vector<sim::Cycles> times_;
  std::vector<sim::Traffic> moved_;  // up to each of the times
};

}  // namespace explorer
