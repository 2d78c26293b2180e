// Sectors of HBM that one warp instruction touches; sim/machine/warp_access.h has its passes through shared memory.
// Inaccuracies: there is no cache, so sectors are those requested from L1.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "kernels/emulator/lane_log.h"
#include "kernels/emulator/warp.h"

namespace emulator {

inline constexpr std::uintptr_t sector_bytes = 32;
inline constexpr std::size_t most_pieces = std::size_t{2} * warp_size;  ///< sectors: two per lane

/// Calls f(access) for the first access to each sector that the instruction touches.
template <class F>
void each_sector(std::span<const LaneAccess> accesses, F f) {
  std::array<std::uintptr_t, most_pieces> seen;
  std::size_t count = 0;
  for (const LaneAccess& access : accesses) {
    const std::uintptr_t last = (access.address + access.bytes - 1) / sector_bytes;
    for (std::uintptr_t sector = access.address / sector_bytes; sector <= last; ++sector) {
      if (count > 0 && seen[count - 1] == sector) continue;  // usually the neighbour's
      if (std::find(seen.begin(), seen.begin() + count, sector) != seen.begin() + count) continue;
      seen[count++] = sector;
      f(access);
    }
  }
}

}  // namespace emulator
