// FlashAttention-2 over a ragged batch, backward, on tensor cores: the kernel of flash2_mma_backward.h, in which a CTA
// first reads its batch entry's range of the packed rows, 16 bytes of the table `sequences`, into shared memory.
// tile/ragged.h has the layout. Source: Dao 2023, Algorithm 2. Inaccuracies: those of flash2_mma_backward.h.
#pragma once
#include "kernels/attention/flash2_mma_backward.h"
#include "kernels/attention/instances.h"
#include "kernels/attention/ragged_entry.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Column block of a CTA and its packed rows; heads are indexed in their entry.
template <int tile_bytes>
struct ColumnsOfEntries : StridesOfEntries {
  __device__ static CtaBlocks place(const Arguments& a) {
    const RaggedEntry& entry = ragged_entry<tile_bytes>();
    return {entry.head, all_rows(a), elements_of(a.seqlen_k, a.bc, entry.block)};
  }
  template <class T>
  __device__ static PackedHead<T> of(const Arguments& a, std::int32_t head) {
    const RaggedEntry& entry = ragged_entry<tile_bytes>();
    return packed_head<T>(a, entry.query_rows, entry.its, head);
  }
  template <class T>
  __device__ static PackedHead<T> of_kv(const Arguments& a, std::int64_t kv_head) {
    return of<T>(a, group_of(a, kv_head).begin);
  }
  /// Index of the first element of a head of (heads, rows of all entries, cols).
  __device__ static std::int64_t first(const Arguments&, std::int32_t head, std::int64_t cols) {
    const RaggedEntry& entry = ragged_entry<tile_bytes>();
    return (std::int64_t{head} * entry.query_rows + entry.its.first_query) * cols;
  }
};

template <class T, int d, int br, int bc, bool compact>
struct RaggedBackwardConfig : BackwardConfig<T, d, br, bc, compact, false> {
  using Base = BackwardConfig<T, d, br, bc, compact, false>;
  using Columns = ColumnsOfEntries<BackwardTiles<Base>::bytes>;
  using Visits = kernels::Visits<br, Columns>;
  // Unrolled products would leave no register for the entry.
  static constexpr bool unrolled = Base::unrolled && d != 64, dP_unrolled = Base::dP_unrolled && d < 128;
};

template <class C>
__global__ void __launch_bounds__(32 * warps, 1)
    flash2_mma_backward_ragged_kernel(const Arguments batch, const __grid_constant__ RaggedGrid grid) {
  constexpr int tile_bytes = BackwardTiles<C>::bytes;
  find_entry<tile_bytes>(grid, batch.kv_heads, false);
  flash2_mma_backward_block<C>(of_entry(batch, ragged_entry<tile_bytes>().its));
}

template <class C>
void launch_ragged_backward(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  const RaggedGrid grid = ragged_column_blocks(batch, a);
  dev::launch(stream, "flash2_backward", flash2_mma_backward_ragged_kernel<C>, grid.ctas, 32 * warps,
              BackwardTiles<C>::bytes + ragged_entry_bytes, a, grid);
}

template <int d, int br, int bc, bool compact>
RaggedBackwardInstance ragged_backward_instance() {
  using dev::bf16, dev::fp16;
  return {br, bc, BackwardTiles<RaggedBackwardConfig<fp16, d, br, bc, compact>>::bytes + ragged_entry_bytes,
          [](dev::Stream stream, const auto& a, const auto& batch) {
            if (a.element == Element::fp16)
              return launch_ragged_backward<RaggedBackwardConfig<fp16, d, br, bc, compact>>(stream, a, batch);
            launch_ragged_backward<RaggedBackwardConfig<bf16, d, br, bc, compact>>(stream, a, batch);
          }};
}

/// Compiled tiles: those that the program chooses with at least 99 KiB of shared memory.
inline constexpr std::array flash2_ragged_mma_backward_tiles = {
    BackwardTile{32, 128, 128, true}, BackwardTile{64, 128, 128, false}, BackwardTile{64, 128, 128, true},
    BackwardTile{96, 64, 128, false}, BackwardTile{96, 64, 128, true},   BackwardTile{128, 64, 128, false},
    BackwardTile{128, 64, 64, true},  BackwardTile{256, 64, 64, false},  BackwardTile{256, 64, 64, true},
};

template <int d>
const std::vector<RaggedBackwardInstance>& Flash2RaggedMmaBackwardOf<d>::instances() {
  static const auto list = each_backward_tile<d, RaggedBackwardInstance, flash2_ragged_mma_backward_tiles>([](auto n) {
    constexpr BackwardTile tile = flash2_ragged_mma_backward_tiles[n];
    return ragged_backward_instance<d, tile.br, tile.bc, tile.compact>();
  });
  return list;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
