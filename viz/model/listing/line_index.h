// Index of each listing line in a replayed CTA: its events in the order of time. Built once, O(events log).
#pragma once
#include <map>
#include <span>
#include <vector>

#include "sim/trace/trace.h"

namespace explorer {

class LineIndex {
 public:
  LineIndex() = default;
  explicit LineIndex(const sim::Trace& trace);

  /// The events of a line by start; empty for a line without verbs. O(log lines).
  std::span<const std::int32_t> events(int line) const;
  /// The first event of a line that begins after a time; after the last one the first again; -1 if there is none.
  std::int32_t next(int line, sim::Cycles time) const;
  /// The newest event of a line that has begun and whose result is not ready yet, or -1. O(log events).
  std::int32_t running(int line, sim::Cycles time) const;
  /// Total time that the events of a line occupy their engine.
  sim::Cycles busy(int line) const;

 private:
  struct Line {
    std::vector<std::int32_t> events;
    sim::Cycles busy;
  };
  const sim::Event& event(std::int32_t n) const { return trace_->events[static_cast<std::size_t>(n)]; }
  /// Number of events of a line that have begun.
  std::ptrdiff_t begun(std::span<const std::int32_t> events, sim::Cycles time) const;

  const sim::Trace* trace_ = nullptr;
  std::map<int, Line> lines_;
};

}  // namespace explorer
