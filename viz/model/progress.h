// How far a replayed CTA is: what it has moved and computed up to a time, without adding up all its events.
#pragma once
#include <vector>

#include "sim/trace/trace.h"

namespace explorer {

/// What events did together.
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

  /// What has ended at a time. O(log events).
  Amounts at(sim::Cycles time) const;
  /// When so many bytes have moved, read and written; the end of the last event when they never do. O(log events).
  sim::Cycles moved(double bytes) const;
  Amounts all() const { return after_.empty() ? Amounts{} : after_.back(); }

 private:
  std::vector<sim::Cycles> ends_;  // of the events that move or compute something, in order
  std::vector<Amounts> after_;
};

}  // namespace explorer
