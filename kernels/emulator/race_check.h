// Finds accesses to shared memory that no barrier orders: for every two bytes, who wrote last and who read last, and
// when. __syncthreads orders all threads, __syncwarp the lanes of its mask; shuffles and mma order nothing.
// Inaccuracies: two readers are remembered; a third that a later write races with can be missed. Where two threads
// write the two bytes of a pair one by one, the latter is remembered.
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
  /// __syncwarp of the lanes of `mask`.
  void warp_met(int warp, std::uint32_t mask);

  /// An access to [offset, offset + bytes) of shared memory.
  void access(int thread, std::uintptr_t pc, std::size_t offset, std::size_t bytes, AccessKind kind);
  /// A copy to 16 bytes: it may write at any time until it has landed.
  void copy_issued(int thread, std::uintptr_t pc, std::size_t offset);
  void copy_landed(int thread, std::size_t offset);

  /// A kind of race, and where it was seen first.
  struct Race {
    std::int64_t block;
    std::int64_t number;  ///< in order of time in the block
    std::string line;
  };
  /// By instruction and by what the two threads do.
  using Races = std::map<std::pair<std::uintptr_t, int>, Race>;
  const Races& races() const { return races_; }

 private:
  /// Who, and between which barriers; packed, as there are three for every two bytes.
  struct Stamp {
    std::uint64_t thread : 10, block_epoch : 28, warp_epoch : 21, bytes : 2, atomic : 1, under_way : 1, valid : 1;
  };
  struct Cell {
    Stamp writer{};
    std::array<Stamp, 2> readers{};
  };
  /// For each lane, up to which epoch of each lane it knows what was done.
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
  std::vector<Stamp> now_;                           // of each thread
  std::uint64_t block_epoch_ = 0, first_epoch_ = 0;  // the first one of this block
  std::int64_t block_ = 0, seen_ = 0;
  Races races_;
};

}  // namespace emulator
