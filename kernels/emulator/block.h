// One block on one OS thread: its threads as fibers, its warps, its barriers, and the order in which they run.
#pragma once
#include <array>
#include <memory>
#include <random>
#include <vector>

#include "kernels/emulator/fiber.h"
#include "kernels/emulator/mbarrier.h"
#include "kernels/emulator/named_barrier.h"
#include "kernels/emulator/thread.h"
#include "kernels/emulator/tma.h"
#include "kernels/emulator/warp.h"
#include "kernels/emulator/wgmma.h"

namespace emulator {

class Block;
class Recorder;

/// A copy under way; `from` is null for zeros.
struct PendingCopy {
  void* to;
  const void* from;
};

struct Thread {
  Thread(Block& its_block, int its_index)
      : block(its_block), index(its_index), fiber(static_cast<std::size_t>(its_index)) {}
  Block& block;
  int index;
  Fiber fiber;
  bool ended = false;
  std::uintptr_t pc = 0;                              ///< its position in the kernel when it last met other threads
  const char* waits_in = nullptr;                     ///< operation it waits in; null if it can run
  std::function<std::string()> waits_for;             ///< continues `waits_in` in a report; may be empty
  std::vector<PendingCopy> open_copies;               ///< issued, not committed
  std::vector<std::vector<PendingCopy>> copy_groups;  ///< committed, the oldest first
  std::int64_t bulk_groups = 0;                       ///< committed groups of bulk copies
  int warp() const { return index / warp_size; }
  int lane() const { return index % warp_size; }
};

/// Lanes that wait for each other in one operation.
struct Meeting {
  const char* name;
  void (*compute)(const Lanes&);
  std::uint32_t wanted = 0, arrived = 0;
  Lanes lanes;
};

struct Warp {
  std::uint32_t ready = 0, ended = 0, parked = 0;
  std::vector<Meeting> meetings;
};

/// Order in which threads run: in index order, or drawn at random at every step.
struct Order {
  bool random = false;
  std::uint64_t seed = 0;
};

class Block {
 public:
  Block(const LaunchShape& shape, Order order, Recorder* recorder);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Runs one block to its end. Throws dev::DeviceError with the block and the thread.
  void run(std::int64_t index, const std::function<void()>& body);

  const LaunchShape& shape() const { return shape_; }
  std::int64_t index() const { return index_; }
  unsigned char* shared() { return shared_.get(); }
  Recorder* recorder() { return recorder_; }
  Thread& thread(int index) { return *threads_[static_cast<std::size_t>(index)]; }

  void meet_block(Thread& thread);
  void meet_warp(Thread& thread, const char* name, std::uint32_t mask, void* operand, void (*compute)(const Lanes&));
  /// Lets the current thread wait until another one wakes it. A report of a deadlock has `name` and what `waits_for`
  /// returns.
  void wait(Thread& thread, const char* name, std::function<std::string()> waits_for = {});
  void wake(Thread& thread);
  /// Lets other threads run first; in a random order only.
  void preempt(Thread& thread);
  /// Lets the other lanes of the warp run until they wait too, so that the trace can merge their accesses.
  void park(Thread& thread);
  bool random() const { return order_.random; }
  std::uint64_t draw() { return random_(); }

  Mbarriers mbarriers;
  NamedBarriers named_barriers;
  BulkCopies bulk_copies;
  Warpgroups warpgroups;

 private:
  void start(const std::function<void()>& body);
  void run_body(Thread& thread, const std::function<void()>& body);
  void finish(Thread& thread);
  bool run_some();
  bool run_any();
  bool advance_copy(std::size_t n);
  void end_copies();
  bool catch_up(std::size_t warp);
  bool catch_up_all();
  void resume(Thread& thread);
  void release_block_if_all_met();
  void close(Warp& warp, std::size_t meeting, Thread& last);
  void unwind();
  [[noreturn]] void report_deadlock();

  struct Free {
    void operator()(unsigned char* memory) const;
  };
  LaunchShape shape_;
  Order order_;
  Recorder* recorder_;
  std::mt19937_64 random_;
  std::unique_ptr<unsigned char, Free> shared_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<Warp> warps_;
  std::int64_t index_ = 0;
  int met_ = 0, ended_ = 0;
  bool unwinding_ = false;
  std::exception_ptr error_;
};

/// Thread that runs on this OS thread; null outside of kernels.
extern constinit thread_local Thread* current;

/// Records where the current thread calls an operation in which threads meet: __builtin_return_address(0).
inline void meets_at(const void* return_address) { current->pc = reinterpret_cast<std::uintptr_t>(return_address); }

/// "kernel flash2_forward, block 3, thread 17"
std::string place_of(const Thread& thread);

/// Throws dev::DeviceError, prefixed by the position of the current thread.
[[noreturn]] void fail(const std::string& what);

}  // namespace emulator
