// Work in C++: runs without the GIL, long work on a separate thread, while the calling thread shows progress and
// handles Python's signals. Python may end while threads are in it.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

#include "python/binding/convert.h"

namespace binding {

/// Scope in which this thread works without the GIL. If the interpreter ends meanwhile, the thread sleeps at the end of
/// the scope until the process ends: CPython would unwind its stack, which no destructor survives.
class WithoutGil {
 public:
  WithoutGil();
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

/// Makes the end of the interpreter stop the work of other threads and wait for it, so that static objects are
/// destroyed after their last use. Called once.
void wait_for_work_at_exit();

/// State shared by the work and the thread that waits for it.
class Watch {
 public:
  /// True once the work should stop: it was stopped, or the interpreter has ended.
  bool stopped() const;
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
