// FlashAttention-2 that skips the blocks a pattern hides, backward, on tensor cores: the kernel of
// flash2_mma_backward.h with visits of the row blocks that the pattern leaves. A CTA reads its column of the pattern
// for each query head of its group, a byte for each block, and keeps a bit of each. Source: Dao 2023, Algorithm 2, with
// the pattern of Dao et al. 2022, Algorithm 5. Inaccuracies: as flash2_mma_backward.h has them.
#pragma once
#include "kernels/attention/flash2_mma_backward.h"
#include "kernels/attention/support.h"
#include "kernels/tile/pattern.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Visits of the row blocks with M_ij = 1, of one head after the other.
template <int br>
struct VisibleVisits {
  Range heads, blocks;
  std::int32_t seqlen_q;
  std::uint32_t* words;
  __device__ VisibleVisits(const Arguments& a, const CtaBlocks& at, unsigned char* smem)
      : heads(group_of(a, at.head)),
        blocks(live_query_blocks(a, at.j)),
        seqlen_q(a.seqlen_q),
        words(reinterpret_cast<std::uint32_t*>(smem)) {
    for (std::int32_t head = heads.begin; head < heads.end; ++head) column(head).load(pattern_column(a, head, at.j));
    __syncthreads();
  }
  __device__ BlockBits column(std::int32_t head) const {  // M_j of a head
    const std::int32_t all = blocks_of(seqlen_q, br);
    return {words + (head - heads.begin) * blocks_of(all, 32), all};
  }
  __device__ Visit first() const {
    std::int32_t count = 0;
    for (std::int32_t head = heads.begin; head < heads.end; ++head) {
      const BlockBits M = column(head);
      for (std::int32_t n = M.next(blocks.begin); n < blocks.end; n = M.next(n + 1)) ++count;
    }
    return from(heads.begin, blocks.begin, count - 1);
  }
  __device__ Visit after(const Visit& visit) const { return from(visit.head, visit.block + 1, visit.left - 1); }
  /// The first visit from this head and block on, if one is left.
  __device__ Visit from(std::int32_t head, std::int32_t block, std::int32_t left) const {
    if (left < 0) return {head, block, left, {0, 0}};
    for (block = column(head).next(block); block >= blocks.end; block = column(head).next(blocks.begin)) ++head;
    return {head, block, left, elements_of(seqlen_q, br, block)};
  }
};

template <class T, int d, int br, int bc, bool thrifty>
struct BlockSparseBackwardConfig : BackwardConfig<T, d, br, bc, thrifty, false> {
  using Visits = VisibleVisits<br>;
  static std::int64_t visits_bytes(const Arguments& a) {
    return a.heads / a.kv_heads * block_bits_bytes(blocks_of(a.seqlen_q, br));
  }
};

template <int d, int br, int bc, bool thrifty>
BackwardInstance block_sparse_backward_instance() {
  return {br, bc, BackwardTiles<BlockSparseBackwardConfig<dev::fp16, d, br, bc, thrifty>>::bytes,
          [](dev::Stream stream, const auto& a) {
            using dev::bf16, dev::fp16;
            if (a.element == Element::fp16)
              return launch_backward<BlockSparseBackwardConfig<fp16, d, br, bc, thrifty>>(stream, a);
            launch_backward<BlockSparseBackwardConfig<bf16, d, br, bc, thrifty>>(stream, a);
          }};
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
