// Long work: runs on a separate thread, while the calling thread shows progress and handles Python's signals.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

#include "python/binding/convert.h"

namespace binding {

/// State shared by the work and the thread that waits for it.
class Watch {
 public:
  /// True once the work should stop.
  bool stopped() const { return stopped_; }
  void stop() { stopped_ = true; }

  /// Throws Stopped if the work should stop. Values call it at each step, through sim::check_interrupt().
  void end_if_stopped() const;

  /// Reports progress. Throws Stopped if the work should stop.
  void show(std::int64_t done, std::int64_t all);

  std::int64_t done() const { return done_; }
  std::int64_t all() const { return all_; }

 private:
  std::atomic<bool> stopped_ = false;
  std::atomic<std::int64_t> done_ = 0, all_ = 0;
};

/// Thrown to unwind work that should stop.
struct Stopped {};

/// Reports progress of the long work on this thread, from a plain function. Throws Stopped if it should stop.
void show_progress(std::int64_t done, std::int64_t all);

/// Runs `work` without the GIL. `progress`: None, or called with (done, all) now and then. An exception of a signal,
/// such as KeyboardInterrupt, or of `progress` stops the work and is rethrown. Called with the GIL.
void run_long(const py::object& progress, const std::function<void(Watch&)>& work);

}  // namespace binding
