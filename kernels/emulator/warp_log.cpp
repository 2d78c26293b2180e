#include "kernels/emulator/warp_log.h"

namespace emulator {

void WarpLog::meet(std::uint32_t mask) {
  const std::uintptr_t pc = meeting + meetings_++;  // the earliest meeting is the lowest
  for (std::uint8_t lane = 0; lane < warp_size; ++lane) {
    if ((mask >> lane & 1u) != 0) add({pc, 0, LaneAccess::in_shared, 0, AccessKind::read, lane});
  }
}

std::uint32_t WarpLog::next_lanes(std::uint32_t parked) const {
  std::uintptr_t lowest = ~std::uintptr_t{0};
  std::uint32_t lanes = 0;
  for (std::size_t lane = 0; lane < warp_size; ++lane) {
    if (merged_[lane] == logs_[lane].size()) {
      if ((parked >> lane & 1u) != 0) return 0;
      continue;
    }
    const std::uintptr_t pc = logs_[lane][merged_[lane]].pc;
    if (pc < lowest) lowest = pc, lanes = 0;
    if (pc == lowest) lanes |= 1u << lane;
  }
  return lanes;
}

void WarpLog::forget_merged() {
  for (std::size_t lane = 0; lane < warp_size; ++lane) {
    Log& log = logs_[lane];
    log.erase(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(merged_[lane]));
    merged_[lane] = 0;
  }
}

}  // namespace emulator
