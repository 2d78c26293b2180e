// Tiles and the memory that they occupy. Each program chooses its tiles in its entry.cpp, by element size, head
// dimension and on-chip memory; its kernels use the same tiles.
#pragma once
#include <cstdint>
#include <string_view>

#include "sim/base/shape.h"

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

/// A number of blocks as wide as Q and K, and one of blocks as wide as V and O.
struct BlockCount {
  std::int64_t qk, v;
  constexpr std::int64_t columns(HeadDims dims) const { return qk * dims.qk + v * dims.v; }
};

/// Tiles that an algorithm holds at a time: row blocks and column blocks in shared memory, fp32 tiles of scores (Br,
/// Bc) in registers, and fp32 accumulators there with a row block's rows or a column block's.
struct Footprint {
  BlockCount row_blocks, col_blocks;
  std::int64_t scores;
  BlockCount row_accumulators, col_accumulators;
};

/// Footprint of a backward pass, which with score steps holds a tile of their derivatives as well.
constexpr Footprint with_derivatives(Footprint f, bool sloped) {
  f.scores += sloped ? 1 : 0;
  return f;
}

constexpr bool fits(Footprint f, Tiling t, std::int64_t element_bytes, HeadDims dims, OnChip chip) {
  const std::int64_t smem = (f.row_blocks.columns(dims) * t.br + f.col_blocks.columns(dims) * t.bc) * element_bytes;
  const std::int64_t accumulators = f.row_accumulators.columns(dims) * t.br + f.col_accumulators.columns(dims) * t.bc;
  return smem <= chip.smem && (f.scores * t.br * t.bc + accumulators) * 4 <= chip.registers;
}

/// Halves the larger side until the tiles fit; 16 x 16 is the smallest that tensor cores take.
constexpr Tiling shrink(Footprint f, Tiling t, std::int64_t element_bytes, HeadDims dims, OnChip chip) {
  while (!fits(f, t, element_bytes, dims, chip) && (t.br > 16 || t.bc > 16)) (t.bc >= t.br ? t.bc : t.br) /= 2;
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

/// Tiles of the papers' two-level model (no L2): Bc = ceil(M / 4d), Br = min(Bc, d), M = SRAM in elements; d is the
/// mean of both head dimensions, so that rows of Q, K, V and O fill M.
constexpr Tiling paper_tiling(std::int64_t sram_elements, HeadDims dims) {
  const std::int64_t four_d = 2 * (dims.qk + dims.v), d = four_d / 4;
  const std::int64_t bc = (sram_elements + four_d - 1) / four_d;
  return {bc < d ? bc : d, bc};
}

}  // namespace sim
