#include "python/binding/long_work.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <future>
#include <optional>
#include <thread>

#include "sim/base/interrupt.h"

namespace binding {
namespace {

constexpr std::chrono::milliseconds pause{50};  // between two polls: feels immediate to a user

std::atomic<int> at_work = 0;                ///< threads in C++ without the GIL
std::atomic<bool> python_has_ended = false;  ///< static objects may be destroyed as soon as no thread is at work

/// The end of a thread that Python no longer wants: it must neither return into its frames nor unwind them.
[[noreturn]] void sleep_until_exit() {
  for (;;) ::pause();
}

bool python_is_ending() {
#if PY_VERSION_HEX >= 0x030D0000
  return python_has_ended || Py_IsFinalizing() != 0;
#else
  return python_has_ended || _Py_IsFinalizing() != 0;
#endif
}

void end_work() {
  python_has_ended = true;
  while (at_work > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Shows progress. Throws any Python exception raised meanwhile: by a signal, or by the function that shows it.
void look(const py::object& progress, const Watch& watch) {
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress.is_none() && watch.all() > 0) progress(watch.done(), watch.all());
  } catch (const std::exception&) {
    throw;
  } catch (...) {  // Python ends, and unwinds the thread from inside `progress`
    sleep_until_exit();
  }
}

thread_local Watch* watch_of_this_thread = nullptr;

/// Starts `work` on a thread, which counts as at work until it ends.
std::future<void> start(Watch& watch, const std::function<void(Watch&)>& work) {
  struct AtWork {
    ~AtWork() { --at_work; }
  };
  ++at_work;  // before the thread runs, which may be late
  try {
    return std::async(std::launch::async, [&watch, &work] {
      const AtWork until_end;
      watch_of_this_thread = &watch;
      const sim::Interruptible interruptible([] { watch_of_this_thread->end_if_stopped(); });
      work(watch);
    });
  } catch (...) {
    --at_work;
    throw;
  }
}

}  // namespace

WithoutGil::WithoutGil() {
  ++at_work;
  state_ = PyEval_SaveThread();
}

WithoutGil::~WithoutGil() {
  --at_work;
  if (python_is_ending()) sleep_until_exit();
  try {
    PyEval_RestoreThread(state_);
  } catch (...) {  // before 3.14 an interpreter that ends unwinds the threads that wait for the GIL
    sleep_until_exit();
  }
}

void wait_for_work_at_exit() {
  Py_AtExit(end_work);
  pthread_atfork(nullptr, nullptr, [] { at_work = 0; });  // a child has one thread, which holds the GIL
}

bool Watch::stopped() const { return stopped_ || python_has_ended; }

void Watch::show(std::int64_t done, std::int64_t all) {
  done_ = done;
  all_ = all;
  end_if_stopped();
}

void Watch::end_if_stopped() const {
  if (stopped()) throw Stopped();
}

void show_progress(std::int64_t done, std::int64_t all) { watch_of_this_thread->show(done, all); }

void run_long(const py::object& progress, const std::function<void(Watch&)>& work) {
  Watch watch;
  std::future<void> running = start(watch, work);
  std::optional<py::error_already_set> interrupted;
  for (bool ended = false; !ended;) {
    {
      const WithoutGil without_gil;
      ended = running.wait_for(pause) == std::future_status::ready;
    }
    if (interrupted) continue;
    try {
      look(progress, watch);
    } catch (py::error_already_set& error) {
      interrupted.emplace(std::move(error));
      watch.stop();
    }
  }
  if (interrupted) throw std::move(*interrupted);
  running.get();
}

}  // namespace binding
