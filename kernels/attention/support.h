// Supported tiles of the tensor-core kernels. Tiles are compile-time constants: a kernel accepts only listed ones.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "kernels/tile/arguments.h"

namespace kernels {

/// A compiled tile: head dimension, query rows, key rows.
struct MmaTile {
  std::int32_t head_dim, br, bc;
};

/// Shared memory of a CTA of the forward kernels: Q (Br, d), K and V (Bc, d), 16 bits each.
constexpr std::int64_t smem_bytes_of(const MmaTile& tile) {
  return std::int64_t{2} * (tile.br + 2 * tile.bc) * tile.head_dim;
}

/// Tiles of flash2_mma, forward: those that sim/programs/tilings.h chooses from 64 KiB of shared memory on, and smaller
/// ones.
inline constexpr std::array flash2_mma_tiles = {
    MmaTile{32, 128, 128}, MmaTile{32, 64, 64},   MmaTile{32, 64, 32},                         // d 32
    MmaTile{64, 128, 128}, MmaTile{64, 64, 64},   MmaTile{64, 64, 32},                         // d 64
    MmaTile{96, 128, 64},  MmaTile{96, 64, 64},   MmaTile{96, 64, 32},                         // d 96
    MmaTile{128, 128, 64}, MmaTile{128, 128, 32}, MmaTile{128, 64, 64}, MmaTile{128, 64, 32},  // d 128
    MmaTile{256, 64, 64},  MmaTile{256, 64, 32},
};
/// Tiles of the ladder steps flash2_mma_unmixed, flash2_mma_unswizzled and flash2_mma_single_buffered.
inline constexpr std::array flash2_mma_step_tiles = {MmaTile{64, 128, 128}, MmaTile{64, 64, 64}};
/// Tiles of the ladder step flash2_mma_split_k, in which each warp holds the output of all rows of a tile.
inline constexpr std::array flash2_mma_split_k_tiles = {MmaTile{64, 64, 64}};

/// Tiles of flash2-block-sparse_mma, forward: those that the program chooses for both passes, and smaller ones.
inline constexpr std::array flash2_block_sparse_mma_tiles = {
    MmaTile{32, 128, 128}, MmaTile{32, 64, 64},   // d 32
    MmaTile{64, 128, 128}, MmaTile{64, 64, 64},   // d 64
    MmaTile{96, 64, 128},  MmaTile{96, 64, 64},   // d 96
    MmaTile{128, 64, 128}, MmaTile{128, 64, 64},  // d 128
    MmaTile{256, 64, 64},
};
/// Tiles of flash2_mma over a ragged batch, forward: those that the program chooses, and smaller ones.
inline constexpr std::array flash2_ragged_mma_tiles = {
    MmaTile{32, 128, 128}, MmaTile{32, 64, 64},                          // d 32
    MmaTile{64, 128, 128}, MmaTile{64, 64, 64},                          // d 64
    MmaTile{96, 128, 64},  MmaTile{96, 64, 64},                          // d 96
    MmaTile{128, 128, 64}, MmaTile{128, 128, 32}, MmaTile{128, 64, 64},  // d 128
    MmaTile{256, 64, 64},
};
/// Bytes of shared memory for the batch entry of a CTA.
inline constexpr std::int64_t ragged_entry_bytes = 32;
/// Bytes of shared memory for a bit of each block, which a CTA under a pattern needs in addition.
constexpr std::int64_t block_bits_bytes(std::int64_t blocks) { return (blocks + 31) / 32 * 4; }

/// Tiles of flash-decoding_mma: those that the program chooses. Fewer rows than 64 are for fewer queries.
inline constexpr std::array flash_decoding_mma_tiles = {
    MmaTile{32, 64, 256},  MmaTile{32, 32, 256},  MmaTile{32, 16, 256},   // d 32
    MmaTile{64, 64, 256},  MmaTile{64, 32, 256},  MmaTile{64, 16, 256},   // d 64
    MmaTile{96, 64, 128},  MmaTile{96, 32, 128},  MmaTile{96, 16, 128},   // d 96
    MmaTile{128, 64, 128}, MmaTile{128, 32, 128}, MmaTile{128, 16, 128},  // d 128
    MmaTile{256, 64, 64},  MmaTile{256, 32, 64},  MmaTile{256, 16, 64},   // d 256
};

/// Tiles that are compiled for softcap, ALiBi, sinks, right windows and prefixes as well: those that programs choose at
/// d 64 and 128, flash-decoding for up to 16 queries, or query heads, in a tile. Only without dropout.
inline constexpr std::array flash2_mma_extended_tiles = {MmaTile{64, 128, 128}, MmaTile{128, 128, 64}};
inline constexpr std::array flash_decoding_mma_extended_tiles = {MmaTile{64, 16, 256}, MmaTile{128, 16, 128}};
/// Shared memory of a CTA for slopes of ALiBi.
constexpr std::int64_t slopes_bytes(const MmaTile& tile) { return std::int64_t{4} * tile.br; }

template <std::size_t count>
constexpr bool is_among(const std::array<MmaTile, count>& tiles, const MmaTile& tile) {
  for (const MmaTile& each : tiles) {
    if (each.head_dim == tile.head_dim && each.br == tile.br && each.bc == tile.bc) return true;
  }
  return false;
}

/// Names what makes arguments `extended`, for messages: "softcap".
std::string_view extension_of(const Arguments& a);

/// Reason why the forward kernel of a tensor-core family cannot run these arguments, in one line; empty if it can.
std::string mma_refusal(std::string_view kernel, const Arguments& a);

/// Throws sim::Error with mma_refusal(), unless it is empty.
void require_mma(std::string_view kernel, const Arguments& a);

}  // namespace kernels
