// Accesses of the lanes of a warp, put together to warp instructions. Lanes run one after another here, and on a GPU
// together: each lane's accesses are logged, and the logs are merged afterwards, lowest instruction first, as lanes
// that took a longer way are behind in the code. Lanes that are back at the beginning of a loop wait there for those
// that are still in the turn before, since a GPU reconverges at the end of a loop's body:
//
//   for k: a = load A[k]; if (a != 0) load B[k]     a lane with a = 0 logs A A A, one without A B A B A B
//
// Inaccuracies: loops are guessed from the accesses in them, and where lanes meet behind a branch from the order of the
// code; a GPU may reconverge later than that, or not at all.
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
  static constexpr std::size_t capacity = 128;  ///< accesses of a lane, when it should wait for the others

  void add(const LaneAccess& access) { logs_[access.lane].add(access); }
  bool full(int lane) const { return logs_[static_cast<std::size_t>(lane)].size() >= capacity; }
  void arrived(int lane, std::uintptr_t pc) { logs_[static_cast<std::size_t>(lane)].arrived(pc); }
  /// The lanes of `mask` have met: none of them goes on before all have come.
  void meet(std::uint32_t mask);

  /// Calls instruction(accesses) for one warp instruction after another, until all logs are empty or, where lanes are
  /// `parked` and have more to come, until it depends on that.
  template <class F>
  void merge(std::uint32_t parked, F instruction);

 private:
  /// The lanes that make the next instruction; none where it depends on what a parked lane does next.
  std::uint32_t next_lanes(std::uint32_t parked) const;
  /// Those of `lanes` whose next access is the lowest, or at `pc`.
  std::uint32_t lowest(std::uint32_t lanes) const;
  std::uint32_t at(std::uint32_t lanes, std::uintptr_t pc) const;
  /// Those of `lanes` that are in an earlier turn of a loop at whose beginning `first` are; null where it depends on
  /// what a parked lane does next.
  std::optional<std::uint32_t> behind(std::uint32_t lanes, std::uint32_t first, std::uint32_t parked) const;
  /// Of lanes whose next access is the same instruction.
  std::uintptr_t pc_of(std::uint32_t lanes) const {
    return logs_[static_cast<std::size_t>(std::countr_zero(lanes))].next().pc;
  }
  /// The latest: what lies behind lanes that come together is the same from here on.
  int turn_of(std::uint32_t lanes) const;
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
    const int turn = turn_of(lanes);
    std::size_t count = 0;
    each_lane(lanes, [&](std::size_t lane) { accesses[count++] = logs_[lane].take(turn); });
    if (accesses[0].pc < LaneAccess::meeting) instruction(std::span<const LaneAccess>(accesses.data(), count));
  }
  forget(parked == 0);
}

}  // namespace emulator
