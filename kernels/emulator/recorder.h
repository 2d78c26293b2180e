// Records every access of every thread of the traced flavour while blocks run. Stops accesses that are out of bounds,
// counts bytes per tensor, merges lanes into warp instructions to count sectors and passes through shared memory, and
// detects races. One recorder per worker and launch; plain runs have none.
// Inaccuracies: the instructions are those of the host's compiler at -O2, which may merge or hoist other accesses than
// nvcc does.
#pragma once
#include <span>
#include <vector>

#include "kernels/dev/device.h"
#include "kernels/emulator/address_map.h"
#include "kernels/emulator/race_check.h"
#include "kernels/emulator/warp_log.h"

namespace emulator {

struct Thread;

class Recorder {
 public:
  Recorder(const LaunchShape& shape, const Arena& arena);

  void block_begins(std::int64_t block, const unsigned char* shared);
  void block_met();
  /// Records that the thread has reached a meeting of its warp or its block.
  void arrived(const Thread& thread);
  void block_ends() { merge_all(); }
  void thread_ended(const Thread& thread);
  /// Records a meeting of the lanes of `mask` of the thread's warp; `orders_memory`: __syncwarp, not a shuffle or mma.
  void warp_met(const Thread& thread, std::uint32_t mask, bool orders_memory);

  /// Records one load or store of one thread: of shared memory, a tensor, its own stack, or other memory that a kernel
  /// may read. Throws dev::DeviceError for any other address. May let other threads run first.
  void access(Thread& thread, std::uintptr_t pc, const void* address, std::size_t bytes, AccessKind kind);
  /// As access(), if the GPU requires the address to be a multiple of `bytes`.
  void aligned_access(Thread& thread, std::uintptr_t pc, const void* address, std::size_t bytes, AccessKind kind);

  /// Records a cp.async to 16 bytes of shared memory, `from` null for zeros: it reads when issued, writes when it
  /// lands, and no thread may access the destination in between.
  void copy_issued(Thread& thread, std::uintptr_t pc, const void* to, const void* from);
  void copy_landed(const Thread& thread, std::uintptr_t pc, const void* to);
  /// Records an ldmatrix or stmatrix: the first `count` lanes of the thread's warp each address 16 bytes of shared
  /// memory.
  void matrix_rows(const Thread& thread, const std::array<const void*, warp_size>& rows, int count, AccessKind kind);

  /// Records an access to an mbarrier: its initialisation is a write, all others are atomic.
  void barrier_word(const Thread& thread, const void* word, AccessKind kind);
  /// Records a bulk copy to shared memory, which may land at any time until bulk_landed().
  void bulk_issued(const Thread& thread, const void* to, std::size_t bytes, std::size_t mbarrier);
  void bulk_landed(const void* to, std::size_t bytes);
  /// Records that `operation` of the thread reads shared memory at any time until bulk_source_read(). Throws
  /// dev::DeviceError if a thread wrote there without a fence.proxy.async since.
  void async_source(const char* operation, const Thread& thread, const void* from, std::size_t bytes);
  void bulk_source_read(const Thread& thread, const void* from, std::size_t bytes);
  /// Counts the part of a row of a box that is inside its tensor.
  void bulk_tensor(const void* address, std::size_t bytes, AccessKind kind);
  /// Counts the passes through shared memory of operands of wgmma, or of a bulk copy: 128 bytes each.
  void count_whole_lines(std::size_t bytes, AccessKind kind);

  /// True if the thread's log is full: it must wait until its warp has caught up.
  bool full(const Thread& thread) const;
  /// Merges the logs of a warp whose lanes all wait, `parked` ones for this call: at least one can then continue.
  void catch_up(std::size_t warp, std::uint32_t parked);

  /// Counts so far, without the races.
  const dev::LaunchReport& counts();
  const RaceCheck::Races& found_races() const { return races_.races(); }
  RaceCheck& races() { return races_; }

 private:
  void in_shared(const Thread& thread, std::uintptr_t pc, std::uintptr_t address, std::size_t bytes, AccessKind kind);
  void in_tensor(const Thread& thread, std::uintptr_t pc, std::uintptr_t address, std::size_t bytes, AccessKind kind,
                 std::size_t tensor);
  void log(const Thread& thread, std::uintptr_t pc, std::uintptr_t address, std::size_t bytes, AccessKind kind,
           std::int16_t tensor);
  void count_wavefronts(std::span<const LaneAccess> accesses);
  void count_instruction(std::span<const LaneAccess> accesses);
  void merge_all();
  [[noreturn]] void out_of_bounds(std::uintptr_t address, std::size_t bytes, AccessKind kind) const;

  AddressMap map_;
  RaceCheck races_;
  std::vector<WarpLog> logs_;                   // by warp
  std::vector<std::uint32_t> gone_;             // lanes that have ended or never existed
  std::vector<dev::Traffic> traffic_;           // by tensor
  std::array<std::int64_t, 3> shared_bytes_{};  // by kind
  dev::LaunchReport report_;
  int threads_;
};

}  // namespace emulator
