// Block-sparse FlashAttention-2, backward, on tensor cores: the kernel of flash2_mma_backward.h, visiting only row
// blocks that the pattern leaves visible. A CTA reads its column of the pattern for each query head of its group, a
// byte per block, and keeps a bit of each. Source: Dao 2023, Algorithm 2, with the pattern of Dao et al. 2022,
// Algorithm 5. Inaccuracies: those of flash2_mma_backward.h.
#pragma once
#include "kernels/attention/flash2_mma_backward.h"
#include "kernels/attention/support.h"
#include "kernels/tile/pattern.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Visits of the row blocks with M_ij = 1, head by head. `first_bit`: byte offset of the pattern bits in shared memory.
/// Constants are recomputed at each visit rather than kept in registers.
template <int br, int first_bit>
struct VisibleVisits {
  const Arguments& a;
  __device__ explicit VisibleVisits(const Arguments& arguments) : a(arguments) {
    const CtaBlocks at = column_block_of(a, blockIdx.x);
    const Range heads = group_of(a, at.head);
    for (std::int32_t head = heads.begin; head < heads.end; ++head)
      column(head - heads.begin).load(pattern_column(a, head, at.j));  // M_j
    __syncthreads();
  }
  __device__ Visit first() const {
    const CtaBlocks at = column_block_of(a, blockIdx.x);
    const Range heads = group_of(a, at.head), blocks = live_query_blocks<false>(a, at.j);
    std::int32_t count = 0;
    for (std::int32_t n = 0; n < heads.size(); ++n) {
      const BlockBits M = column(n);
      for (std::int32_t block = M.next(blocks.begin); block < blocks.end; block = M.next(block + 1)) ++count;
    }
    return from(heads.begin, blocks.begin, count - 1);
  }
  __device__ Visit after(const Visit& visit) const { return from(visit.head, visit.block + 1, visit.left - 1); }

 private:
  /// M_j of the n-th head of the group
  __device__ BlockBits column(std::int32_t n) const {
    const std::int32_t blocks = blocks_of(a.seqlen_q, br);
    auto* const words = reinterpret_cast<std::uint32_t*>(dev::shared_memory() + first_bit);
    return {words + n * blocks_of(blocks, 32), blocks};
  }
  /// The first visit at or after this head and block, if any is left.
  __device__ Visit from(std::int32_t head, std::int32_t block, std::int32_t left) const {
    if (left < 0) return {head, block, left, {0, 0}};
    const CtaBlocks at = column_block_of(a, dev::opaque(blockIdx.x));
    const Range blocks = live_query_blocks<false>(a, at.j);
    std::int32_t n = head - group_of(a, at.head).begin;
    for (block = column(n).next(block); block >= blocks.end; block = column(n).next(blocks.begin)) ++n, ++head;
    return {head, block, left, elements_of(a.seqlen_q, br, block)};
  }
};

template <class T, int d, int br, int bc, bool compact>
struct BlockSparseBackwardConfig : BackwardConfig<T, d, br, bc, compact, false> {
  using Base = BackwardConfig<T, d, br, bc, compact, false>;
  using Visits = VisibleVisits<br, BackwardTiles<Base>::bytes>;
  static constexpr bool dP_unrolled = Base::dP_unrolled && d < 128;  // else no register is left for the pattern
  static std::int64_t visits_bytes(const Arguments& a) {
    return a.heads / a.kv_heads * block_bits_bytes(blocks_of(a.seqlen_q, br));
  }
};

template <int d, int br, int bc, bool compact>
BackwardInstance block_sparse_backward_instance() {
  return {br, bc, BackwardTiles<BlockSparseBackwardConfig<dev::fp16, d, br, bc, compact>>::bytes,
          [](dev::Stream stream, const auto& a) {
            using dev::bf16, dev::fp16;
            if (a.element == Element::fp16)
              return launch_backward<BlockSparseBackwardConfig<fp16, d, br, bc, compact>>(stream, a);
            launch_backward<BlockSparseBackwardConfig<bf16, d, br, bc, compact>>(stream, a);
          }};
}

template <int d>
const std::vector<BackwardInstance>& Flash2MmaBackwardOf<d>::instances() {
  static const auto list = each_backward_tile<d>([](auto n) {
    constexpr BackwardTile tile = flash2_mma_backward_tiles[n];
    return backward_instance<d, tile.br, tile.bc, tile.compact>();
  });
  return list;
}

template <int d>
const std::vector<BackwardInstance>& Flash2MmaBackwardOf<d>::instances_under_pattern() {
  static const auto list = each_backward_tile<d>([](auto n) {
    constexpr BackwardTile tile = flash2_mma_backward_tiles[n];
    return block_sparse_backward_instance<d, tile.br, tile.bc, tile.compact>();
  });
  return list;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
