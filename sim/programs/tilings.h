// Tiles and the memory that they occupy. Each program chooses its tiles in its entry.cpp, by element size, head
// dimension and on-chip memory; its kernels use the same tiles.
#pragma once
#include <cstdint>
#include <string_view>

namespace sim {

/// Rows of Q and rows of K/V of one tile; `slice` is the depth of one iteration of a plain GEMM.
struct Tiling {
  std::int64_t br = 0, bc = 0;
  std::int64_t slice = 32;
};

/// Memory available to tiles: bytes of shared memory of one CTA and bytes of registers of one SM.
struct OnChip {
  std::int64_t smem = 0, registers = 0;
};

/// Tiles that an algorithm holds at a time: row blocks and column blocks in shared memory (d elements a row), fp32
/// tiles of scores (Br, Bc) in registers, and fp32 accumulators there of d columns with a block's rows or a column
/// block's.
struct Footprint {
  std::int64_t row_blocks, col_blocks, scores, row_accumulators, col_accumulators;
};

constexpr bool fits(Footprint f, Tiling t, std::int64_t element_bytes, std::int64_t d, OnChip chip) {
  const std::int64_t smem = (f.row_blocks * t.br + f.col_blocks * t.bc) * d * element_bytes;
  const std::int64_t accumulators = (f.row_accumulators * t.br + f.col_accumulators * t.bc) * d;
  return smem <= chip.smem && (f.scores * t.br * t.bc + accumulators) * 4 <= chip.registers;
}

/// Halves the larger side until the tiles fit; 16 x 16 is the smallest that tensor cores take.
constexpr Tiling shrink(Footprint f, Tiling t, std::int64_t element_bytes, std::int64_t d, OnChip chip) {
  while (!fits(f, t, element_bytes, d, chip) && (t.br > 16 || t.bc > 16)) (t.bc >= t.br ? t.bc : t.br) /= 2;
  return t;
}

/// Head dimensions of the kernels of FlashAttention-2, which pad d to the next one. Source: flash-attention 2.8,
/// flash_fwd_launch_template.h; the kernels of this tree have them too, except 192.
inline constexpr std::int64_t flash2_head_dims[] = {32, 64, 96, 128, 192, 256};

/// Rule that chooses tiles. `released`: the tiles and loops of published code that differs from its paper: the programs
/// in variants(). `released_1`: its version 1, which gives a head to several CTAs if there are few heads.
enum class TilingRule { kernel, paper, released, released_1 };
constexpr bool is_released(TilingRule rule) { return rule >= TilingRule::released; }
std::string_view name_of(TilingRule rule);  ///< "kernel", "paper", "released", "released-1"

/// Tiles of the papers' two-level model (no L2): Bc = ceil(M / 4d), Br = min(Bc, d), M = SRAM in elements.
constexpr Tiling paper_tiling(std::int64_t sram_elements, std::int64_t d) {
  const std::int64_t bc = (sram_elements + 4 * d - 1) / (4 * d);
  return {bc < d ? bc : d, bc};
}

}  // namespace sim
