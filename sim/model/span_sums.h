// Sums of one CTA's work between two moments: an index that is built once, and queried while the user drags.
//
// Events that cross an edge of the span count in part: their bytes, FLOPs and exponentials are spread evenly over the
// time that they work, which follows the time that neighbours on the SM take of their span
// (sim/model/work_intervals.h).
#pragma once
#include <vector>

#include "sim/model/stalls.h"

namespace sim {

/// Amounts of one CTA in a span of its time.
struct SpanSums {
  /// Engine times, as stalls_of() gives them for the whole CTA; `time` is the length of the span. If a store waits
  /// while another one is being moved, work and waits of copies can together exceed a short span; `idle` is then 0.
  Stalls stalls;
  Traffic moved;  ///< bytes across the SRAM boundary
  Flops matmul_flops;
  Exps exps;
  /// Total time that all engines wait for a cause.
  Cycles wait(Cause cause) const;
};

class SpanIndex {
 public:
  SpanIndex() = default;
  explicit SpanIndex(const Trace& trace);  ///< index of a scheduled replay; O(events log events)

  /// Returns the sums over [from, to), clipped to the CTA's time; adjacent spans sum to their union. O(log events).
  SpanSums between(Cycles from, Cycles to) const;

 private:
  enum Amount : std::uint8_t { read, written, matmul_flops, exps, work, waits };
  static constexpr std::size_t amounts = waits + cause_count;
  struct Part {
    Cycles begin, end;
    std::int64_t before;  // sum of the parts that begin earlier
  };
  using Parts = std::vector<Part>;  // sorted by begin, without overlap; the last one is empty and has the total

  static std::int64_t until(const Parts& parts, Cycles time);
  static void add(Parts& parts, Cycles begin, Cycles end, std::int64_t amount);
  void add_event(const Event& event, Cycles begin);
  void add_times(const Trace& trace);

  Cycles end_;
  using PartsOfRole = std::array<std::array<Parts, amounts>, engine_count>;
  std::vector<PartsOfRole> parts_;  // of each role; the first one has the times of engines
};

}  // namespace sim
