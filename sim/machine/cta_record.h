// The record of a schedule for the one CTA that a trace shows: the times of its tasks, each wait with its cause, and
// the time that neighbours took. Ticks are rounded to the nearest, so that neighbouring spans share their ends.
#pragma once
#include <vector>

#include "sim/machine/sm_work.h"
#include "sim/trace/cause.h"

namespace sim {

/// The time of a task: of work, from its start to its end; of a copy, its transfer at the port. Counts from the SM's
/// start.
struct Span {
  Cycles begin, end;
  Cycles ready;  ///< the arrival of a copy in; the end of others
};

class CtaRecord {
 public:
  explicit CtaRecord(std::size_t tasks) : spans(tasks) {}
  void span(std::size_t task, double begin, double end, double ready);
  /// Up to `transferred` the wait for a copy is one for bandwidth.
  void wait_for_copy(std::size_t task, std::int32_t copy, double begin, double transferred, double end);
  void wait(std::size_t task, Cause cause, double begin, double end);
  void delays_of(std::size_t task, const std::array<double, pipe_count>& cycles_by_pipe);

  /// Orders the notes of several roles by time and by task.
  void sort();

  std::vector<Span> spans;      ///< one per task
  std::vector<WaitSpan> waits;  ///< in the order of time; their events are tasks
  std::vector<Delay> delays;    ///< in the order of tasks, one for each cause

 private:
  void add(WaitSpan wait);
};

}  // namespace sim
