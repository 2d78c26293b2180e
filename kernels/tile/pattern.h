// Pattern of block-sparse attention in a kernel: a byte for each tile of a query head, (batch, heads, Tr, Tc) in HBM,
// not 0 if the tile is visible. Matches sim/base/block_mask.h.
#pragma once
#include "kernels/tile/grid.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// M_i (1, Tc) of a query head, for the row block of these queries.
__device__ inline Rows<std::uint8_t> pattern_row(const Arguments& a, std::int64_t head, Range queries) {
  const std::int32_t i = queries.begin / a.br;
  return rows_of<std::uint8_t>(a.mask_blocks, head, blocks_of(a.seqlen_q, a.br), blocks_of(a.seqlen_k, a.bc),
                               {i, i + 1});
}

/// M_j (Tr, 1) of a query head, for the column block of these keys.
__device__ inline Rows<std::uint8_t> pattern_column(const Arguments& a, std::int64_t head, Range keys) {
  const std::int32_t rows = blocks_of(a.seqlen_q, a.br), j = keys.begin / a.bc;
  return rows_of<std::uint8_t>(a.mask_blocks, head, rows, blocks_of(a.seqlen_k, a.bc), {0, rows}, {j, j + 1});
}

/// True if at least one of the blocks is visible.
__device__ inline bool any_visible(Tile<std::uint8_t> M, Range blocks) {
  for (std::int32_t n = blocks.begin; n < blocks.end; ++n) {
    if (M[n] != 0) return true;
  }
  return false;
}

/// A row or a column of the pattern in shared memory, a bit for each block.
struct BlockBits {
  std::uint32_t* words;
  std::int32_t blocks;

  /// Reads each byte once, a warp 32 at a time; the caller waits for all warps.
  __device__ void load(Rows<std::uint8_t> from) const {
    const std::int32_t stride = from.cols == 1 ? from.stride : 1, lane = this_thread() % 32;
    for (std::int32_t first = this_thread() - lane; first < blocks; first += threads()) {
      const bool visible = first + lane < blocks && from.at[(first + lane) * stride] != 0;
      const std::uint32_t word = __ballot_sync(0xffffffffu, visible);
      if (lane == 0) words[first / 32] = word;
    }
  }
  /// The first visible block from `block` on; `blocks` if there is none.
  __device__ std::int32_t next(std::int32_t block) const {
    while (block < blocks) {
      const std::uint32_t rest = words[block / 32] >> block % 32;
      if (rest != 0) return block + dev::lowest_bit(rest);
      block = block / 32 * 32 + 32;
    }
    return blocks;
  }
};

}  // namespace DEV_FLAVOUR
}  // namespace kernels
