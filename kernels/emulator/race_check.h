// Finds accesses to shared memory that no barrier orders: records the last writer and readers of every two bytes, with
// their epochs. __syncthreads orders all threads, __syncwarp the lanes of its mask; shuffles and mma order nothing.
// Inaccuracies: two readers are recorded; a third that races with a later write can be missed. If two threads write the
// two bytes of a pair separately, only the later one is recorded.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/emulator/lane_log.h"
#include "kernels/emulator/warp.h"

namespace emulator {

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
  /// Thread and barrier epochs of an access; packed, as there are three for every two bytes.
  struct Stamp {
    std::uint64_t thread : 10, block_epoch : 28, warp_epoch : 21, bytes : 2, atomic : 1, under_way : 1, valid : 1;
  };
  struct Cell {
    Stamp writer{};
    std::array<Stamp, 2> readers{};
  };
  /// Vector clock of each lane: the epoch of each other lane up to which it is ordered after that lane.
  using Clock = std::array<std::array<std::uint32_t, warp_size>, warp_size>;

  enum Conflict { read_of_copy, write_of_copy, read_after_write, write_after_write, write_after_read };

  void restamp(std::size_t thread);
  bool conflicting(const Stamp& before, const Stamp& me) const;
  bool ordered_by_warp(const Stamp& before, int thread) const;
  bool under_way(const Cell& cell) const;
  void read(Cell& cell, const Stamp& me, std::uintptr_t pc);
  void write(Cell& cell, const Stamp& me, std::uintptr_t pc);
  void report(const Cell& cell, const Stamp& before, const Stamp& me, std::uintptr_t pc, Conflict conflict);
  const Clock& clock_of(int thread) const { return clocks_[static_cast<std::size_t>(thread / warp_size)]; }

  std::vector<Cell> cells_;
  std::vector<Clock> clocks_;                        // by warp
  std::vector<Stamp> now_;                           // by thread
  std::uint64_t block_epoch_ = 0, first_epoch_ = 0;  // first_epoch_: first epoch of this block
  std::int64_t block_ = 0, seen_ = 0;
  Races races_;
};

}  // namespace emulator
