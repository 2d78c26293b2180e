// Tiles that flash3_wgmma is compiled for.
#pragma once
#include "kernels/attention/support.h"

namespace kernels {

/// Those of the program; but for d 64 without a causal mask it has 192 keys, for which P would pass through shared
/// memory.
inline constexpr std::array flash3_wgmma_tiles = {MmaTile{64, 192, 128}, MmaTile{128, 128, 128},
                                                  MmaTile{128, 128, 176}};
inline constexpr std::int32_t flash3_wgmma_stages = 2;          ///< of the rings of K and V
inline constexpr std::int64_t flash3_wgmma_barrier_bytes = 72;  ///< one for Q, and two a stage for K and for V

}  // namespace kernels
