#include "viz/terminal/sweep/run.h"

#include <signal.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <exception>

namespace terminal {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

/// While it lives, the first Ctrl-C sets `interrupted`; a second one ends the program. Where Ctrl-C is ignored (nohup,
/// a job in the background) it stays so.
class CatchCtrlC {
 public:
  CatchCtrlC() {
    interrupted = false;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    ::sigaction(SIGINT, nullptr, &before_);
    if (before_.sa_handler != SIG_IGN) ::sigaction(SIGINT, &action, nullptr);
  }
  ~CatchCtrlC() { ::sigaction(SIGINT, &before_, nullptr); }
  CatchCtrlC(const CatchCtrlC&) = delete;
  CatchCtrlC& operator=(const CatchCtrlC&) = delete;

 private:
  struct sigaction before_ {};
};

/// A row, or why there is none.
struct Made {
  std::string row;
  std::exception_ptr error;
};

Made try_to_make(const std::function<std::string(std::int64_t)>& make, std::int64_t number) {
  try {
    return {make(number), nullptr};
  } catch (...) {  // it travels in order, so that the first row's error is the one reported
    return {"", std::current_exception()};
  }
}

}  // namespace

std::int64_t run_in_order(std::int64_t first, std::int64_t last, int threads,
                          const std::function<std::string(std::int64_t)>& make,
                          const std::function<void(const std::string&)>& take) {
  constexpr std::size_t rows_ahead = 64;  // per thread: a slow row or a slow disk must not stop the others
  const auto limit = static_cast<std::size_t>(threads);
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism, limit);
  const CatchCtrlC ctrl_c;
  std::int64_t next = first, taken = 0;
  std::exception_ptr failure;  // not thrown through the pipeline, which would lose the rows that are on their way
  std::atomic<bool> failed = false;
  const auto begin = tbb::make_filter<void, std::int64_t>(tbb::filter_mode::serial_in_order, [&](auto& control_flow) {
    if (next < last && !interrupted && !failed) return next++;
    control_flow.stop();
    return last;
  });
  const auto work = tbb::make_filter<std::int64_t, Made>(
      tbb::filter_mode::parallel, [&](std::int64_t number) { return try_to_make(make, number); });
  const auto end = tbb::make_filter<Made, void>(tbb::filter_mode::serial_in_order, [&](const Made& made) {
    if (failed) return;
    try {
      if (made.error) std::rethrow_exception(made.error);
      take(made.row);
      ++taken;
    } catch (...) {
      failure = std::current_exception();
      failed = true;
    }
  });
  tbb::task_arena arena(threads);
  arena.execute([&] { tbb::parallel_pipeline(limit * rows_ahead, begin & work & end); });
  if (failure) std::rethrow_exception(failure);
  return taken;
}

int all_cores() { return tbb::info::default_concurrency(); }

}  // namespace terminal
