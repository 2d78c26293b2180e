// Long work: on a thread of its own, while the thread that called it shows progress and takes Python's signals.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

#include "python/binding/convert.h"

namespace binding {

/// State that the work and the thread that waits for it share.
class Watch {
 public:
  /// True once the work is to end.
  bool stopped() const { return stopped_; }
  void stop() { stopped_ = true; }

  /// Throws Stopped if the work is to end. Values ask at each step, by sim::check_interrupt().
  void end_if_stopped() const;

  /// Tells how far the work is. Throws Stopped if it is to end.
  void show(std::int64_t done, std::int64_t all);

  std::int64_t done() const { return done_; }
  std::int64_t all() const { return all_; }

 private:
  std::atomic<bool> stopped_ = false;
  std::atomic<std::int64_t> done_ = 0, all_ = 0;
};

/// Thrown through work that is to end.
struct Stopped {};

/// Tells the watch of the long work that runs on this thread: for work that calls a plain function. Throws Stopped if
/// it is to end.
void show_progress(std::int64_t done, std::int64_t all);

/// Runs `work` without the GIL. `progress`: None, or called with (done, all) now and then. A signal's exception, such
/// as KeyboardInterrupt, or one of `progress` ends the work and is thrown on. Called with the GIL.
void run_long(const py::object& progress, const std::function<void(Watch&)>& work);

}  // namespace binding
