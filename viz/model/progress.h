// Progress of a replayed CTA: bytes moved and work computed up to a time, without summing all its events.
#pragma once
#include <vector>

#include "sim/trace/trace.h"

namespace explorer {

/// Totals of a group of events.
struct Amounts {
  std::int64_t read_bytes = 0, write_bytes = 0;  ///< across the SRAM boundary
  std::int64_t matmul_flops = 0, other_flops = 0;
  double bytes() const { return static_cast<double>(read_bytes + write_bytes); }
};

class Progress {
 public:
  Progress() = default;
  /// O(events log events).
  explicit Progress(const sim::Trace& trace);

  /// Totals of the events that have ended at a time. O(log events).
  Amounts at(sim::Cycles time) const;
  /// The time at which `bytes` have moved, read and written; the end of the last event if they never do. O(log events).
  sim::Cycles moved(double bytes) const;
  Amounts all() const { return after_.empty() ? Amounts{} : after_.back(); }

 private:
  std::vector<sim::Cycles> ends_;  // ends of events that move or compute, in order
  std::vector<Amounts> after_;
};

}  // namespace explorer
