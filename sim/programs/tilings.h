// Tile sizes per algorithm, element size, head dimension and on-chip memory. The kernels take theirs from here too, so
// that `--tiling kernel` replays exactly what they do.
#pragma once
#include <cstdint>
#include <string_view>

namespace sim {

/// Rows of Q and rows of K/V of one tile; the depth of one step of a plain GEMM.
struct Tiling {
  std::int64_t br = 0, bc = 0;
  std::int64_t slice = 32;
};

/// What tiles may fill: bytes of shared memory of one CTA and bytes of registers of one SM.
struct OnChip {
  std::int64_t smem = 0, registers = 0;
};

/// What an algorithm holds at a time: row blocks and column blocks in shared memory (d elements a row), fp32 tiles of
/// scores (Br, Bc) in registers, and fp32 accumulators there of d columns with a block's rows or a column block's.
struct Footprint {
  std::int64_t row_blocks, col_blocks, scores, row_accumulators, col_accumulators;
};

inline constexpr Footprint flash1_footprint{2, 2, 1, 1, 0};           // Q_i, O_i | K_j, V_j | S | PV
inline constexpr Footprint flash2_footprint{1, 2, 1, 1, 0};           // Q_i      | K_j, V_j | S | O_i
inline constexpr Footprint flash1_backward_footprint{4, 2, 3, 0, 2};  // Q, O, dO, dQ | K, V | P, P_d, dP | dK, dV
inline constexpr Footprint flash2_backward_footprint{2, 2, 2, 1, 2};  // Q, dO        | K, V | P, dP | dQ | dK, dV

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

/// FlashAttention-2 forward. fp16/bf16 (tensor cores): 128 x 128 for d <= 64, 128 x 64 for d <= 128, 64 x 64 above, as
/// the published kernels choose; fp32 (teaching kernel): 64 x 64 for d <= 64, 32 x 32 above.
constexpr Tiling flash2_forward_tiling(std::int64_t element_bytes, std::int64_t d, OnChip chip) {
  const Tiling half = d <= 64 ? Tiling{128, 128} : d <= 128 ? Tiling{128, 64} : Tiling{64, 64};
  const Tiling single = d <= 64 ? Tiling{64, 64} : Tiling{32, 32};
  return shrink(flash2_footprint, element_bytes == 4 ? single : half, element_bytes, d, chip);
}

/// FlashAttention-1 forward: 64 query rows, keys as wide as the scores leave room for.
constexpr Tiling flash1_forward_tiling(std::int64_t element_bytes, std::int64_t d, OnChip chip) {
  const Tiling wide = d <= 64 ? Tiling{64, 128} : Tiling{64, 64};
  return shrink(flash1_footprint, element_bytes == 4 ? Tiling{64, 64} : wide, element_bytes, d, chip);
}

/// What the released code of FlashAttention-1 chooses its tiles by.
struct ReleasedCase {
  std::int64_t d, seqlen_k;
  bool backward, dropout;
  std::string_view architecture;
};

/// FlashAttention-1 as released: 16 query rows and 256 keys; 128 keys for short sequences and where registers are
/// scarce. Source: fmha_api.cpp of flash-attention 0.2 (blocksize_c). Later GPUs count as sm_80.
constexpr Tiling flash1_released_tiling(const ReleasedCase& c) {
  const bool turing = c.architecture == "sm_75";
  const bool sm80 = !turing && c.architecture != "sm_86" && c.architecture != "sm_89";
  const bool dropout_or_backward = c.dropout || c.backward;  // dropout in the forward pass takes the backward's tiles
  const bool wide = c.d > 64 && (dropout_or_backward || !sm80), old = turing && c.d > 32 && dropout_or_backward;
  return {16, c.seqlen_k <= 128 || wide || old ? 128 : 256};
}

/// FlashAttention-2 backward: for tensor cores 128 query rows (64 for d > 64) and 128 keys, 64 x 64 in fp32.
constexpr Tiling flash2_backward_tiling(std::int64_t element_bytes, std::int64_t d, OnChip chip) {
  const Tiling half = d <= 64 ? Tiling{128, 128} : Tiling{64, 128};
  return shrink(flash2_backward_footprint, element_bytes == 4 ? Tiling{64, 64} : half, element_bytes, d, chip);
}

/// FlashAttention-1 backward: 64 x 64.
constexpr Tiling flash1_backward_tiling(std::int64_t element_bytes, std::int64_t d, OnChip chip) {
  return shrink(flash1_backward_footprint, Tiling{64, 64}, element_bytes, d, chip);
}

/// Standard attention, both passes: 128 x 128 output tiles of QK^T and dP; 128 x d of products with d columns; 32-deep
/// steps.
constexpr Tiling standard_tiling(std::int64_t element_bytes, std::int64_t d, OnChip chip) {
  Tiling t{128, 128};
  const auto fits_gemms = [&] {
    const std::int64_t scores = (t.br + t.bc) * t.slice * element_bytes, output = (t.br + d) * t.slice * element_bytes;
    const bool elementwise = t.br * t.bc * (element_bytes + 1) <= chip.smem;  // a tile and its dropout mask
    return elementwise && scores <= chip.smem && output <= chip.smem && t.br * d * 4 <= chip.registers;
  };
  while (!fits_gemms() && t.br > 16) t = {t.br / 2, t.bc / 2};
  return t;
}

/// Memory-efficient attention works on one query row (or, for dK and dV, one key) at a time; the other axis comes in
/// blocks of up to 128.
constexpr Tiling memory_efficient_tiling(std::int64_t element_bytes, std::int64_t d, OnChip chip) {
  Tiling t{1, 128};
  while (!fits(flash2_footprint, t, element_bytes, d, chip) && t.bc > 1) t.bc /= 2;
  return t;
}

/// The papers' idealised machine: Bc = ceil(M / 4d), Br = min(Bc, d), M = SRAM in elements.
constexpr Tiling paper_tiling(std::int64_t sram_elements, std::int64_t d) {
  const std::int64_t bc = (sram_elements + 4 * d - 1) / (4 * d);
  return {bc < d ? bc : d, bc};
}

}  // namespace sim
