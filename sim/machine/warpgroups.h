// Warp-specialised programs: each warpgroup of a CTA is a coroutine with its own clock; they meet at barriers. A
// deterministic scheduler always resumes the warpgroup with the earliest clock (the lower id on a tie).
#pragma once
#include <exception>
#include <utility>
#include <vector>

#include "sim/machine/coroutine.h"
#include "sim/machine/cta.h"

namespace sim {

/// A barrier in the manner of mbarrier: a phase completes when `arrivals` have arrived; the next phase then begins.
class Barrier {
 public:
  explicit Barrier(int arrivals = 1) : expected_(arrivals) {}
  /// One arrival that takes effect at `when`. The phase completes at the latest of its arrivals.
  void arrive(Cycles when);
  bool completed(std::int64_t phase) const { return phase < static_cast<std::int64_t>(completed_at_.size()); }
  Cycles completed_at(std::int64_t phase) const { return completed_at_.at(static_cast<std::size_t>(phase)); }

 private:
  int expected_, arrived_ = 0;
  Cycles latest_;
  std::vector<Cycles> completed_at_;
};

/// What a warpgroup waits for.
struct BarrierPhase {
  const Barrier* barrier = nullptr;
  std::int64_t phase = 0;
  bool ready() const { return barrier == nullptr || barrier->completed(phase); }
};

/// One warpgroup: starts suspended; `co_await wait(barrier, phase)` suspends it until the phase has completed, and
/// moves its clock there.
class Warpgroup {
 public:
  struct promise_type {
    BarrierPhase waiting;
    std::exception_ptr error;
    Warpgroup get_return_object() { return Warpgroup(Handle::from_promise(*this)); }
    coroutine::suspend_always initial_suspend() noexcept { return {}; }
    coroutine::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
  };
  using Handle = coroutine::coroutine_handle<promise_type>;

  explicit Warpgroup(Handle handle) : handle_(handle) {}
  Warpgroup(Warpgroup&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  Warpgroup& operator=(Warpgroup&&) = delete;
  ~Warpgroup() {
    if (handle_) handle_.destroy();
  }
  bool done() const { return handle_.done(); }
  const BarrierPhase& waiting() const { return handle_.promise().waiting; }
  void resume();

 private:
  Handle handle_;
};

/// The awaitable of `co_await wait(barrier, phase)`.
struct Wait {
  BarrierPhase target;
  bool await_ready() const noexcept { return false; }
  void await_suspend(Warpgroup::Handle handle) const noexcept { handle.promise().waiting = target; }
  void await_resume() const noexcept {}
};
inline Wait wait(const Barrier& barrier, std::int64_t phase) { return {{&barrier, phase}}; }

/// Runs the warpgroups of one CTA to their ends. Throws Error when all that are left wait for phases that nobody can
/// complete (a deadlock), naming them.
void run_warpgroups(Cta& cta, std::vector<Warpgroup> warpgroups);

}  // namespace sim
