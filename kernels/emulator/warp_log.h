// Merges the accesses of the lanes of a warp into warp instructions. Lanes run one after another here, and together on
// a GPU: each lane's accesses are logged, and the logs merged afterwards, lowest instruction first, as lanes on a
// longer path are earlier in the code. Lanes back at the loop header wait for lanes still in the previous iteration,
// since a GPU reconverges at the end of a loop body:
//
//   for k: a = load A[k]; if (a != 0) load B[k]     a lane with a = 0 logs A A A, one without A B A B A B
//
// Inaccuracies: loops are inferred from the accesses in them, and reconvergence after a branch from the order of the
// code; a GPU may reconverge later, or not at all.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>

#include "kernels/emulator/lane_log.h"
#include "kernels/emulator/warp.h"

namespace emulator {

class WarpLog {
 public:
  static constexpr std::size_t capacity = 128;  ///< accesses after which a lane should wait for the others

  void add(const LaneAccess& access) { logs_[access.lane].add(access); }
  bool full(int lane) const { return logs_[static_cast<std::size_t>(lane)].size() >= capacity; }
  void arrived(int lane, std::uintptr_t pc) { logs_[static_cast<std::size_t>(lane)].arrived(pc); }
  /// Records a meeting of the lanes of `mask`: none continues before all have arrived.
  void meet(std::uint32_t mask);

  /// Calls instruction(accesses) for one warp instruction after another, until all logs are empty or the next one
  /// depends on future accesses of `parked` lanes.
  template <class F>
  void merge(std::uint32_t parked, F instruction);

 private:
  /// Lanes of the next instruction; 0 if it depends on the next accesses of a parked lane.
  std::uint32_t next_lanes(std::uint32_t parked) const;
  /// Mask of `lanes` whose next access is the lowest, or at `pc`.
  std::uint32_t lowest(std::uint32_t lanes) const;
  std::uint32_t at(std::uint32_t lanes, std::uintptr_t pc) const;
  /// Mask of `lanes` that are in an earlier iteration of a loop whose header `first` has reached; null if it depends on
  /// the next accesses of a parked lane.
  std::optional<std::uint32_t> behind(std::uint32_t lanes, std::uint32_t first, std::uint32_t parked) const;
  /// Instruction of lanes that share their next access.
  std::uintptr_t pc_of(std::uint32_t lanes) const {
    return logs_[static_cast<std::size_t>(std::countr_zero(lanes))].next().pc;
  }
  /// Latest iteration of the lanes: lanes that execute together share it from here on.
  int iteration_of(std::uint32_t lanes) const;
  void forget(bool all_met);

  std::array<LaneLog, warp_size> logs_;
  std::uintptr_t meetings_ = 0;
};

/// Calls f(lane) for each bit of a mask, lowest first.
template <class F>
void each_lane(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<std::size_t>(std::countr_zero(mask)));
}

template <class F>
void WarpLog::merge(std::uint32_t parked, F instruction) {
  std::array<LaneAccess, warp_size> accesses;
  while (const std::uint32_t lanes = next_lanes(parked)) {
    const int iteration = iteration_of(lanes);
    std::size_t count = 0;
    each_lane(lanes, [&](std::size_t lane) { accesses[count++] = logs_[lane].take(iteration); });
    if (accesses[0].pc < LaneAccess::meeting) instruction(std::span<const LaneAccess>(accesses.data(), count));
  }
  forget(parked == 0);
}

}  // namespace emulator
