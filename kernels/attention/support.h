// What the tensor-core kernels exist for: tiles are compiled in, so a kernel takes those of a menu and no others.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "kernels/tile/arguments.h"

namespace kernels {

/// A tile that a kernel was compiled for: head dimension, query rows, key rows.
struct MmaTile {
  std::int32_t head_dim, br, bc;
};

/// Shared memory of a CTA of the forward kernels: Q (Br, d), K and V (Bc, d), 16 bits each.
constexpr std::int64_t smem_bytes_of(const MmaTile& tile) {
  return std::int64_t{2} * (tile.br + 2 * tile.bc) * tile.head_dim;
}

/// Of flash2_mma, forward: what sim/programs/tilings.h chooses from 64 KiB of shared memory on, and smaller ones.
inline constexpr std::array flash2_mma_tiles = {
    MmaTile{32, 128, 128}, MmaTile{32, 64, 64},   MmaTile{32, 64, 32},                         // d 32
    MmaTile{64, 128, 128}, MmaTile{64, 64, 64},   MmaTile{64, 64, 32},                         // d 64
    MmaTile{96, 128, 64},  MmaTile{96, 64, 64},   MmaTile{96, 64, 32},                         // d 96
    MmaTile{128, 128, 64}, MmaTile{128, 128, 32}, MmaTile{128, 64, 64}, MmaTile{128, 64, 32},  // d 128
    MmaTile{256, 64, 64},  MmaTile{256, 64, 32},
};
/// Of its steps flash2_mma_unmixed, flash2_mma_unswizzled and flash2_mma_single_buffered.
inline constexpr std::array flash2_mma_step_tiles = {MmaTile{64, 128, 128}, MmaTile{64, 64, 64}};
/// Of its step flash2_mma_split_k, where each warp holds the output of all rows of a tile.
inline constexpr std::array flash2_mma_split_k_tiles = {MmaTile{64, 64, 64}};

/// Of flash2-block-sparse_mma, forward: what the program chooses for both passes, and smaller ones.
inline constexpr std::array flash2_block_sparse_mma_tiles = {
    MmaTile{32, 128, 128}, MmaTile{32, 64, 64},   // d 32
    MmaTile{64, 128, 128}, MmaTile{64, 64, 64},   // d 64
    MmaTile{96, 64, 128},  MmaTile{96, 64, 64},   // d 96
    MmaTile{128, 64, 128}, MmaTile{128, 64, 64},  // d 128
    MmaTile{256, 64, 64},
};
/// Tiles of flash2_mma over a ragged batch, forward: what the program chooses, and smaller.
inline constexpr std::array flash2_ragged_mma_tiles = {
    MmaTile{32, 128, 128}, MmaTile{32, 64, 64},                          // d 32
    MmaTile{64, 128, 128}, MmaTile{64, 64, 64},                          // d 64
    MmaTile{96, 128, 64},  MmaTile{96, 64, 64},                          // d 96
    MmaTile{128, 128, 64}, MmaTile{128, 128, 32}, MmaTile{128, 64, 64},  // d 128
    MmaTile{256, 64, 64},
};
/// Bytes of shared memory for what a CTA of a ragged batch knows of its entry.
inline constexpr std::int64_t ragged_entry_bytes = 32;
/// Bytes of shared memory for a bit of each block, which a CTA under a pattern takes as well.
constexpr std::int64_t block_bits_bytes(std::int64_t blocks) { return (blocks + 31) / 32 * 4; }

/// Of flash-decoding_mma: what the program chooses. Fewer rows than 64 are for fewer queries.
inline constexpr std::array flash_decoding_mma_tiles = {
    MmaTile{32, 64, 256},  MmaTile{32, 32, 256},  MmaTile{32, 16, 256},   // d 32
    MmaTile{64, 64, 256},  MmaTile{64, 32, 256},  MmaTile{64, 16, 256},   // d 64
    MmaTile{96, 64, 128},  MmaTile{96, 32, 128},  MmaTile{96, 16, 128},   // d 96
    MmaTile{128, 64, 128}, MmaTile{128, 32, 128}, MmaTile{128, 16, 128},  // d 128
    MmaTile{256, 64, 64},  MmaTile{256, 32, 64},  MmaTile{256, 16, 64},   // d 256
};

/// Why the forward kernel of a tensor-core family cannot run these arguments, in one line; empty when it can.
std::string mma_refusal(std::string_view kernel, const Arguments& a);

/// Throws sim::Error with the refusal, if there is one.
void require_mma(std::string_view kernel, const Arguments& a);

}  // namespace kernels
