// Block-sparse FlashAttention-2 on tensor cores: matches sim/programs/flash2/ under a pattern, for fp16 and bf16. The
// kernels are those of flash2_mma.h and flash2_mma_backward.h with another choice of the next block: a CTA first reads
// its row or column of the pattern, a byte per block, and keeps a bit of each. Source: Dao 2023, Algorithms 1 and 2,
// with the pattern of Dao et al. 2022, Algorithm 5. Inaccuracies: those of flash2_mma.h and flash2_mma_backward.h.
#pragma once
#include "kernels/attention/flash2_mma.h"
#include "kernels/attention/instances.h"
#include "kernels/tile/pattern.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Key-block policy under a pattern: the blocks that a row block sees.
template <int bc>
struct VisibleBlocks {
  BlockBits M;
  __device__ VisibleBlocks(const Arguments& a, const CtaBlocks& at, unsigned char* smem)
      : M{reinterpret_cast<std::uint32_t*>(smem), blocks_of(a.seqlen_k, bc)} {
    M.load(pattern_row(a, at.head, at.i));  // M_i
    __syncthreads();
  }
  /// First key, from key j on, of a block with M_ij = 1.
  __device__ std::int32_t from(std::int32_t j) const { return M.next(j / bc) * bc; }
  static std::int64_t bytes(const Arguments& a) { return block_bits_bytes(blocks_of(a.seqlen_k, bc)); }
};

template <class T, int d, int br, int bc>
struct Flash2BlockSparseMma : Flash2Mma<T, d, br, bc> {
  static constexpr const char* name = "flash2_block_sparse_forward";
  using Keys = VisibleBlocks<bc>;
  static constexpr bool drops = false, extends = false;
};

/// Launches the kernel of menu entry `n` if the arguments select its tile.
template <int d, std::size_t n>
void launch_block_sparse_entry(dev::Stream stream, const Arguments& a) {
  constexpr MmaTile tile = flash2_block_sparse_mma_tiles[n];
  if constexpr (tile.head_dim == d) {
    if (a.br != tile.br || a.bc != tile.bc) return;
    if (a.element == Element::fp16)
      return launch_shape<Flash2BlockSparseMma<dev::fp16, d, tile.br, tile.bc>>(stream, a);
    launch_shape<Flash2BlockSparseMma<dev::bf16, d, tile.br, tile.bc>>(stream, a);
  }
}

template <int d>
void Flash2MmaOf<d>::launch(dev::Stream stream, const Arguments& a) {
  launch_tile_of<d, LeftOut::nothing>(stream, a);
}

template <int d>
void Flash2MmaOf<d>::launch_under_pattern(dev::Stream stream, const Arguments& a) {
  const auto each = [&]<std::size_t... n>(std::index_sequence<n...>) {
    (launch_block_sparse_entry<d, n>(stream, a), ...);
  };
  each(std::make_index_sequence<flash2_block_sparse_mma_tiles.size()>());
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
