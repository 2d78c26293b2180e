// What a schedule writes down of the one CTA that a trace shows: when each task ran, each wait with its cause, and what
// neighbours took. In ticks, rounded to the nearest, so that neighbouring spans share their ends.
#pragma once
#include <vector>

#include "sim/machine/sm_work.h"
#include "sim/trace/cause.h"

namespace sim {

/// Of work, from its begin to its end; of a copy, its turn at the port. Since the SM began.
struct Span {
  Cycles begin, end;
  Cycles ready;  ///< of a copy in, its arrival; of others, the end
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

  std::vector<Span> spans;      ///< of each task
  std::vector<WaitSpan> waits;  ///< in the order of time; their events are tasks
  std::vector<Delay> delays;    ///< in the order of tasks, one for each cause

 private:
  void add(WaitSpan wait);
};

}  // namespace sim
