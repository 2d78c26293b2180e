// Accesses of the lanes of a warp, put together to warp instructions. Lanes run one after another here, and on a GPU
// together: each lane's accesses are logged, and the logs are merged afterwards, lowest instruction first, as lanes
// that took a longer way are behind in the code.
// Inaccuracies: a guess where lanes diverge; a GPU may reconverge later than that, or not at all.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/warp.h"

namespace emulator {

enum class AccessKind : std::uint8_t { read, write, atomic };

/// One access of one lane.
struct LaneAccess {
  std::uintptr_t pc;  ///< tells instructions apart
  std::uintptr_t address;
  std::int16_t tensor;  ///< index of the allocation; `in_shared`: shared memory
  std::uint8_t bytes;   ///< 16 at most
  AccessKind kind;
  std::uint8_t lane;
  static constexpr std::int16_t in_shared = -1;
};

class WarpLog {
 public:
  static constexpr std::size_t capacity = 128;  ///< accesses of a lane, when it should wait for the others

  void add(const LaneAccess& access) { logs_[access.lane].push_back(access); }
  bool full(int lane) const { return logs_[static_cast<std::size_t>(lane)].size() >= capacity; }
  /// The lanes of `mask` have met: none of them goes on before all have come.
  void meet(std::uint32_t mask);

  /// Calls instruction(accesses) for one warp instruction after another, until all logs are empty or, where lanes are
  /// `parked` and have more to come, until one of theirs is.
  template <class F>
  void merge(std::uint32_t parked, F instruction);

 private:
  using Log = std::vector<LaneAccess>;
  static constexpr std::uintptr_t meeting = ~(~std::uintptr_t{0} >> 1);  // a pc after all of the code

  /// The lanes whose next access is the lowest; none where a parked lane has no more.
  std::uint32_t next_lanes(std::uint32_t parked) const;
  void forget_merged();

  std::array<Log, warp_size> logs_;
  std::array<std::size_t, warp_size> merged_{};
  std::uintptr_t meetings_ = 0;
};

template <class F>
void WarpLog::merge(std::uint32_t parked, F instruction) {
  std::array<LaneAccess, warp_size> accesses;
  while (const std::uint32_t lanes = next_lanes(parked)) {
    std::size_t count = 0;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      accesses[count++] = logs_[lane][merged_[lane]++];
    }
    if (accesses[0].pc < meeting) instruction(std::span<const LaneAccess>(accesses.data(), count));
  }
  forget_merged();
}

}  // namespace emulator
