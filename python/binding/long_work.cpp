#include "python/binding/long_work.h"

#include <chrono>
#include <exception>
#include <future>
#include <optional>

#include "sim/base/interrupt.h"

namespace binding {
namespace {

constexpr std::chrono::milliseconds pause{50};  // between two polls: feels immediate to a user

/// Shows progress. Throws any Python exception raised meanwhile: by a signal, or by the function that shows it.
void look(const py::object& progress, const Watch& watch) {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (!progress.is_none() && watch.all() > 0) progress(watch.done(), watch.all());
}

thread_local Watch* watch_of_this_thread = nullptr;

}  // namespace

void Watch::show(std::int64_t done, std::int64_t all) {
  done_ = done;
  all_ = all;
  end_if_stopped();
}

void Watch::end_if_stopped() const {
  if (stopped_) throw Stopped();
}

void show_progress(std::int64_t done, std::int64_t all) { watch_of_this_thread->show(done, all); }

void run_long(const py::object& progress, const std::function<void(Watch&)>& work) {
  Watch watch;
  std::future<void> running = std::async(std::launch::async, [&] {
    watch_of_this_thread = &watch;
    const sim::Interruptible interruptible([] { watch_of_this_thread->end_if_stopped(); });
    work(watch);
  });
  std::optional<py::error_already_set> interrupted;
  for (bool ended = false; !ended;) {
    {
      const py::gil_scoped_release release;
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
