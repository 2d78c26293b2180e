// Finds accesses to shared memory that no barrier orders: records the last writer and readers of every two bytes, with
// their epochs. __syncthreads orders all threads, __syncwarp the lanes of its mask; shuffles and mma order nothing.
// mbarriers, named barriers and waits for wgmma order warps: each warp has a clock of all warps, and of the copies that
// arrive at each mbarrier.
// Inaccuracies: two readers are recorded; a third that races with a later write can be missed. If two threads write the
// two bytes of a pair separately, only the later one is recorded. Between warps, one lane's arrival releases what all
// lanes of its warp have done, and one lane's wait serves all of them.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/emulator/lane_log.h"
#include "kernels/emulator/warp.h"

namespace emulator {

/// Vector clock of warps, and behind them of the copies to each mbarrier: epochs up to which one is ordered after them.
inline constexpr std::size_t most_warps = 32, most_barriers = 32;
using WarpClock = std::array<std::uint32_t, most_warps + most_barriers>;

class RaceCheck {
 public:
  RaceCheck(std::int64_t shared_bytes, int threads);

  void block_begins(std::int64_t block);
  void block_met();
  /// Records a __syncwarp of the lanes of `mask`.
  void warp_met(int warp, std::uint32_t mask);

  /// Checks an access to [offset, offset + bytes) of shared memory.
  void access(int thread, std::uintptr_t pc, std::size_t offset, std::size_t bytes, AccessKind kind);
  /// Checks a copy to 16 bytes: it may write at any time until it has landed.
  void copy_issued(int thread, std::uintptr_t pc, std::size_t offset);
  void copy_landed(int thread, std::size_t offset);

  /// Adds what the thread's warp has done, and is ordered after, to the clock of a barrier.
  void release(int thread, WarpClock& barrier);
  /// Orders the thread's warp after everything in the clock.
  void acquire(int thread, const WarpClock& barrier);
  /// Adds the copies that have arrived at the mbarrier to its clock; later copies are of its next phase.
  void phase_ends(std::size_t mbarrier, WarpClock& clock);

  /// Checks a bulk copy of a thread to shared memory: as copy_issued, but only waits for the mbarrier order threads
  /// after it.
  void bulk_issued(int thread, std::uintptr_t pc, std::size_t offset, std::size_t bytes, std::size_t mbarrier);
  void bulk_landed(std::size_t offset, std::size_t bytes);

  /// Checks a read by a bulk copy or wgmma of the thread, which may happen at any time until it has ended. Returns the
  /// thread that wrote there without a fence.proxy.async since, or -1.
  int async_read(int thread, std::uintptr_t pc, std::size_t offset, std::size_t bytes);
  void async_read_ended(int thread, std::size_t offset, std::size_t bytes);
  /// Records a fence.proxy.async of the thread.
  void proxy_fence(int thread) { fenced_[static_cast<std::size_t>(thread)] = ++access_; }

  /// A kind of race, and its first occurrence.
  struct Race {
    std::int64_t block;
    std::int64_t number;  ///< in order of time in the block
    std::string line;
  };
  /// Races by instruction and by conflict.
  using Races = std::map<std::pair<std::uintptr_t, int>, Race>;
  const Races& races() const { return races_; }

 private:
  /// Thread and epochs of an access, of its warp and of its lane; packed, as there are three for every two bytes. A
  /// bulk copy has the thread most_threads + 32 n, n the number of its mbarrier.
  struct Stamp {
    std::uint64_t thread : 11, epoch : 27, lane_epoch : 20, bytes : 2, atomic : 1, under_way : 1, valid : 1;
  };
  struct Cell {
    Stamp writer{};
    std::array<Stamp, 2> readers{};
  };
  /// Vector clock of each lane: the epoch of each other lane up to which it is ordered after that lane.
  using Clock = std::array<std::array<std::uint32_t, warp_size>, warp_size>;

  enum Conflict {
    read_of_copy,
    write_of_copy,
    read_after_write,
    write_after_write,
    write_after_read,
    write_of_source,
    read_after_copy,
    write_after_copy
  };

  void restamp(std::size_t thread);
  void restamp_warp(std::size_t warp);
  std::uint32_t next_epoch() const;
  bool conflicting(const Stamp& before, const Stamp& me) const;
  bool ordered_by_warp(const Stamp& before, int thread) const;
  bool under_way(const Cell& cell) const;
  void read(Cell& cell, const Stamp& me, std::uintptr_t pc);
  void write(Cell& cell, const Stamp& me, std::uintptr_t pc);
  void report(const Cell& cell, const Stamp& before, const Stamp& me, std::uintptr_t pc, Conflict conflict);
  std::string other_access(const Stamp& before, Conflict conflict) const;
  const Clock& clock_of(int thread) const { return clocks_[static_cast<std::size_t>(thread / warp_size)]; }

  std::vector<Cell> cells_;
  std::vector<std::uint32_t> written_;                 // by cell: number of the last access that was a thread's write
  std::vector<Clock> clocks_;                          // by warp
  std::vector<WarpClock> order_;                       // by warp; its own entry is its epoch
  std::vector<Stamp> now_;                             // by thread
  std::vector<std::uint32_t> fenced_;                  // by thread: number of its last fence.proxy.async
  std::array<std::uint32_t, most_barriers> copies_{};  // epoch of the copies to each mbarrier
  std::array<int, most_barriers> copied_by_{};         // thread that issued the last one
  std::uint32_t synced_ = 0, first_epoch_ = 0;         // first epochs since the last __syncthreads, and of this block
  std::uint32_t access_ = 0;
  std::int64_t block_ = 0, seen_ = 0;
  Races races_;
};

}  // namespace emulator
