// Warp-specialised programs: warpgroups of a CTA with roles, each a coroutine. They synchronise at barriers, and run
// without time: a role runs until it waits for a phase that is not over. Neither values nor counts depend on the
// order in which roles are resumed; the schedule of the SM (sm_schedule.h) gives the same operations their times.
#pragma once
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "sim/machine/coroutine.h"
#include "sim/machine/cta.h"

namespace sim {

/// A barrier in the manner of mbarrier: a phase is over when all its arrivals are there; the next one then begins.
class Barrier {
 public:
  Barrier(Cta& cta, BarrierKind kind, std::string name, int arrivals = 1);
  /// Counts one arrival, by the event `by`. Throws Error unless `phase` is the current one.
  void arrive(std::int64_t phase, std::int32_t by);
  bool is_over(std::int64_t phase) const { return phase < phase_; }
  std::int16_t index() const { return index_; }
  /// Returns "full barrier K 0, phase 3 (0 of 1 arrivals)".
  std::string text_of(std::int64_t phase) const;
  Phase phase(std::int64_t number, Line line = __builtin_LINE()) { return {this, number, line.number}; }
  /// The events that completed the last phase.
  const std::vector<std::int32_t>& completed_by() const { return completed_by_; }
  Cta& cta() const { return *cta_; }

 private:
  Cta* cta_;
  TraceBarrier barrier_;
  std::int16_t index_;
  std::int64_t phase_ = 0;
  std::vector<std::int32_t> arrived_, completed_by_;
};

/// A warpgroup: starts suspended; `co_await phase` suspends it until the phase is over.
class Warpgroup {
 public:
  struct promise_type {
    Phase waiting;
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
  const Phase& waiting() const { return handle_.promise().waiting; }
  bool may_run() const {
    return !done() && (waiting().barrier == nullptr || waiting().barrier->is_over(waiting().number));
  }
  void resume();

 private:
  Handle handle_;
};

/// Arrives for the running role; `after_products`: takes effect when the products issued before it have ended.
void arrive(Phase phase, bool after_products = false, Line line = __builtin_LINE());

/// Tiles of one tensor in a ring of stages: tile n is in stage n % stages, and has phase n / stages of its barriers.
class Ring {
 public:
  /// Takes the space of (rows, cols) for each stage. A stage may be filled again when `readers` have released it, and
  /// is full when `copies` have arrived: other tensors of the same rows may come with it.
  Ring(Cta& cta, Tensor tensor, std::int64_t rows, std::int64_t cols, std::int64_t stages, int readers,
       Line line = __builtin_LINE(), int copies = 1);
  AnyTile& operator[](std::int64_t n) { return stage(n).tile; }
  Phase full(std::int64_t n, Line line = __builtin_LINE()) { return stage(n).full.phase(n / size(), line); }
  /// The phase to wait for before loading tile n.
  Phase empty(std::int64_t n, Line line = __builtin_LINE()) { return stage(n).empty.phase(n / size() - 1, line); }
  /// The phase that is over when all readers have read tile n.
  Phase read(std::int64_t n, Line line = __builtin_LINE()) { return stage(n).empty.phase(n / size(), line); }
  void release(std::int64_t n, Line line = __builtin_LINE());  ///< announces that one reader has read tile n
  std::int64_t size() const { return static_cast<std::int64_t>(stages_.size()); }

 private:
  struct Stage {
    SmemTile space;
    AnyTile tile;
    Barrier full, empty;
  };
  Stage& stage(std::int64_t n) { return stages_[static_cast<std::size_t>(n % size())]; }
  std::vector<Stage> stages_;
};

/// Returns part w of a block that is cut into parts of `size`: fewer rows at the end of a short block, or none.
Block part_of(const Block& rows, std::int64_t size, std::int64_t w);
/// The rows of a block that warpgroup w takes: 64 of them.
inline Block warpgroup_rows(const Block& rows, std::int64_t w) { return part_of(rows, wgmma_rows, w); }

/// Turns of warpgroups. Each has a named barrier, at which it waits until another one passes the turn on.
class Turns {
 public:
  Turns(Cta& cta, int warpgroups);
  Phase of(int warpgroup, Line line = __builtin_LINE());
  /// Passes the turn on; `after_products`: when the products that the role has issued have ended, else at once.
  void pass_to(int warpgroup, bool after_products = false, Line line = __builtin_LINE());

 private:
  struct Turn {
    Barrier barrier;
    std::int64_t taken = 0, passed = 0;
  };
  std::vector<Turn> turns_;
};

/// A role of a CTA: its name, its registers per thread, its body, and its threads: 32 for each of its warps, which
/// issue on a scheduler each. However many they are, they arrive at a barrier once.
struct RoleRun {
  std::string name;
  std::int64_t registers = 0;
  Warpgroup body;
  std::int64_t threads = warpgroup_threads;
};

/// Runs the roles of one CTA to their ends. Throws Error if all that are left wait for phases that no role can
/// complete (a deadlock): each of them with its barrier, phase and arrivals.
void run_roles(Cta& cta, std::vector<RoleRun> roles);

}  // namespace sim
