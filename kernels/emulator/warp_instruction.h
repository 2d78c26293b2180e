// What one warp instruction costs: sectors of HBM, passes through shared memory.
// Inaccuracies: how many lanes go in one pass is not documented by NVIDIA and has not been compared with a profiler.
// There is no cache, so sectors are those asked of L1. Lanes that meet in one word never conflict, atomics included.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "kernels/emulator/lane_log.h"
#include "kernels/emulator/warp.h"

namespace emulator {

inline constexpr std::uintptr_t sector_bytes = 32;
inline constexpr std::size_t most_pieces = std::size_t{2} * warp_size;  ///< sectors, or words of a bank: two a lane

/// Passes of a load or store through the 32 banks of 4 bytes. Lanes go all at once with 4 bytes each or fewer, 16 a
/// pass with 8 bytes, 8 a pass with 16; a pass is repeated for each further word of a bank.
struct Wavefronts {
  std::int64_t taken = 0, ideal = 0;  ///< ideal: without bank conflicts
};
Wavefronts wavefronts(std::span<const LaneAccess> accesses);

/// Calls f(access) for the first access to each sector that the instruction touches.
template <class F>
void each_sector(std::span<const LaneAccess> accesses, F f) {
  std::array<std::uintptr_t, most_pieces> seen;
  std::size_t count = 0;
  for (const LaneAccess& access : accesses) {
    const std::uintptr_t last = (access.address + access.bytes - 1) / sector_bytes;
    for (std::uintptr_t sector = access.address / sector_bytes; sector <= last; ++sector) {
      if (count > 0 && seen[count - 1] == sector) continue;  // mostly the neighbour's
      if (std::find(seen.begin(), seen.begin() + count, sector) != seen.begin() + count) continue;
      seen[count++] = sector;
      f(access);
    }
  }
}

}  // namespace emulator
