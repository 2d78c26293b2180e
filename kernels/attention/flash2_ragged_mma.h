// FlashAttention-2 over a ragged batch, forward, on tensor cores: the kernel of flash2_mma.h, in which a CTA first
// reads its batch entry's range of the packed rows, 16 bytes of the table `sequences`, into shared memory.
// tile/ragged.h has the layout. Source: Dao 2023, Algorithm 1. Inaccuracies: those of flash2_mma.h; and if longest
// entries go first, the row blocks of one entry stay together, even under a mask that makes some of them light.
#pragma once
#include "kernels/attention/flash2_mma.h"
#include "kernels/attention/instances.h"
#include "kernels/attention/ragged_entry.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Rows of a CTA in packed tensors.
template <int tile_bytes>
struct RowsOfEntries : StridesOfEntries {
  std::int64_t first_key;  ///< index of the row of key 0, in rows of d
  __device__ RowsOfEntries(const Arguments& a, const CtaBlocks&) {
    const RaggedEntry& entry = ragged_entry<tile_bytes>();
    first_key = std::int64_t{entry.its.first_key} * a.kv_heads + entry.head / (a.heads / a.kv_heads);
  }
  __device__ std::int64_t key(const Arguments& a, std::int32_t j) const {
    return first_key + std::int64_t{j} * a.kv_heads;
  }
  __device__ static RowPlace place(const Arguments& a, const CtaBlocks& at, std::int32_t row) {
    const RaggedEntry& entry = ragged_entry<tile_bytes>();
    const std::int64_t packed = std::int64_t{entry.its.first_query} + at.i.begin + row;
    return {packed * a.heads + entry.head, std::int64_t{entry.head} * entry.query_rows + packed};
  }
};

template <class T, int d, int br, int bc>
struct Flash2RaggedMma : Flash2Mma<T, d, br, bc> {
  using Rows = RowsOfEntries<Flash2Mma<T, d, br, bc>::smem_bytes>;
  /// Row block of this CTA; its head is indexed over the batch.
  __device__ static CtaBlocks place(const Arguments& a, unsigned) {
    const RaggedEntry& entry = ragged_entry<Flash2Mma<T, d, br, bc>::smem_bytes>();
    return {std::int64_t{entry.entry} * a.heads + entry.head, elements_of(a.seqlen_q, br, entry.block), all_keys(a)};
  }
};

template <class Shape>
__global__ void __launch_bounds__(128, 2)
    flash2_mma_ragged_kernel(const Arguments batch, const ScoreScale scale, const __grid_constant__ RaggedGrid grid) {
  find_entry<Shape::smem_bytes>(grid, batch.heads, batch.causal);
  flash2_mma_block<Shape, false, false>(of_entry(batch, ragged_entry<Shape::smem_bytes>().its), scale);
}

template <class Shape>
void launch_ragged_shape(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  const RaggedGrid grid = ragged_row_blocks(batch, a);
  dev::launch(stream, Shape::name, flash2_mma_ragged_kernel<Shape>, grid.ctas, Shape::threads,
              Shape::smem_bytes + ragged_entry_bytes, a, score_scale(a), grid);
}

/// Launches the kernel of menu entry `n` if the arguments select its tile.
template <int d, std::size_t n>
void launch_ragged_entry(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  constexpr MmaTile tile = flash2_ragged_mma_tiles[n];
  if constexpr (tile.head_dim == d) {
    if (a.br != tile.br || a.bc != tile.bc) return;
    if (a.element == Element::fp16)
      return launch_ragged_shape<Flash2RaggedMma<dev::fp16, d, tile.br, tile.bc>>(stream, a, batch);
    launch_ragged_shape<Flash2RaggedMma<dev::bf16, d, tile.br, tile.bc>>(stream, a, batch);
  }
}

template <int d>
void Flash2RaggedMmaOf<d>::launch(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  const auto each = [&]<std::size_t... n>(std::index_sequence<n...>) {
    (launch_ragged_entry<d, n>(stream, a, batch), ...);
  };
  each(std::make_index_sequence<flash2_ragged_mma_tiles.size()>());
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
