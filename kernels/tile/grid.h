// Assigns blocks of a head to the CTAs of a launch, and locates them in HBM: matches sim/machine/grid.h. Heads are
// outermost, then row blocks, then column blocks.
#pragma once
#include "kernels/tile/tile.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

// CTAs of a launch.
inline std::int64_t query_heads(const Arguments& a) { return std::int64_t{a.batch} * a.heads; }
inline std::int64_t kv_heads(const Arguments& a) { return std::int64_t{a.batch} * a.kv_heads; }
inline std::int64_t row_blocks(const Arguments& a) { return query_heads(a) * blocks_of(a.seqlen_q, a.br); }
inline std::int64_t column_blocks(const Arguments& a) { return kv_heads(a) * blocks_of(a.seqlen_k, a.bc); }
inline std::int64_t tiles(const Arguments& a) { return row_blocks(a) * blocks_of(a.seqlen_k, a.bc); }
inline std::int64_t row_blocks_in_parts(const Arguments& a) { return row_blocks(a) * (a.parts > 0 ? a.parts : 1); }
inline std::int64_t query_rows(const Arguments& a) { return query_heads(a) * a.seqlen_q; }

/// Blocks of a CTA: its head, indexed over the batch, and its rows and keys; the whole axis if the CTA loops over it.
struct CtaBlocks {
  std::int64_t head;  ///< query head; in column_block_of a KV head
  Range i, j;
};

__device__ inline Range all_rows(const Arguments& a) { return {0, a.seqlen_q}; }
__device__ inline Range all_keys(const Arguments& a) { return {0, a.seqlen_k}; }

/// Row block `index` of a launch with row blocks of `br`; `last_first` reverses the row blocks of each head.
__device__ inline CtaBlocks row_block_of(const Arguments& a, std::uint32_t index, std::int32_t br,
                                         bool last_first = false) {
  const auto blocks = static_cast<std::uint32_t>(blocks_of(a.seqlen_q, br));
  const std::uint32_t block = last_first ? blocks - 1 - index % blocks : index % blocks;
  return {index / blocks, elements_of(a.seqlen_q, br, static_cast<std::int32_t>(block)), all_keys(a)};
}
__device__ inline CtaBlocks column_block_of(const Arguments& a, std::uint32_t index) {
  const auto blocks = static_cast<std::uint32_t>(blocks_of(a.seqlen_k, a.bc));
  return {index / blocks, all_rows(a), elements_of(a.seqlen_k, a.bc, static_cast<std::int32_t>(index % blocks))};
}
__device__ inline CtaBlocks tile_of(const Arguments& a, std::uint32_t index) {
  const auto blocks = static_cast<std::uint32_t>(blocks_of(a.seqlen_k, a.bc));
  CtaBlocks place = row_block_of(a, index / blocks, a.br);
  place.j = elements_of(a.seqlen_k, a.bc, static_cast<std::int32_t>(index % blocks));
  return place;
}

/// A row block and a part of the keys; parts at the end may be empty. Without parts, part 0 has all keys.
struct CtaPart {
  std::int64_t head;
  Range i;
  std::int32_t s;
};
__device__ inline CtaPart part_of(const Arguments& a, std::uint32_t index, std::int32_t br) {
  const auto parts = static_cast<std::uint32_t>(larger(1, a.parts));
  const CtaBlocks place = row_block_of(a, index / parts, br);
  return {place.head, place.i, static_cast<std::int32_t>(index % parts)};
}

/// Key blocks of part s with at least one pair visible to the queries.
template <bool ahead = true>
__device__ Range live_key_blocks(const Arguments& a, Range queries, std::int32_t s) {
  const Range live = live_key_blocks<ahead>(a, queries);
  return {larger(live.begin, s * a.part_blocks), smaller(live.end, (s + 1) * a.part_blocks)};
}

/// Query heads that share a KV head.
__device__ inline Range group_of(const Arguments& a, std::int64_t kv_head) {
  const std::int32_t size = a.heads / a.kv_heads, first = static_cast<std::int32_t>(kv_head) * size;
  return {first, first + size};
}

/// Blocks of the tensors of one query head and of its KV head.
template <class T>
struct Head {
  std::int64_t query, kv;
  std::int32_t seqlen_q, seqlen_k, head_dim, parts = 0;

  __device__ Rows<T> queries(void* tensor, Range i) const { return queries(tensor, i, {0, head_dim}); }
  __device__ Rows<T> keys(void* tensor, Range j) const { return keys(tensor, j, {0, head_dim}); }
  __device__ Rows<T> queries(void* tensor, Range i, Range c) const {
    return rows_of<T>(tensor, query, seqlen_q, head_dim, i, c);
  }
  __device__ Rows<T> keys(void* tensor, Range j, Range c) const {
    return rows_of<T>(tensor, kv, seqlen_k, head_dim, j, c);
  }
  /// Block of S, P, the dropout mask ...: (Nq, Nk)
  template <class U = T>
  __device__ Rows<U> scores(void* tensor, Range i, Range j) const {
    return rows_of<U>(tensor, query, seqlen_q, seqlen_k, i, j);
  }
  /// Block of l, m, L or D: (Nq) in fp32
  __device__ Rows<float> statistics(void* tensor, Range i) const {
    return rows_of<float>(tensor, query, seqlen_q, 1, i);
  }
  /// Block of dQ_acc: (Nq, d) in fp32
  __device__ Rows<float> sums(void* tensor, Range i) const {
    return rows_of<float>(tensor, query, seqlen_q, head_dim, i);
  }
  /// Block of O_part: part s of (Nq, parts d) in fp32
  __device__ Rows<float> part(void* tensor, Range i, std::int32_t s) const {
    return rows_of<float>(tensor, query, seqlen_q, parts * head_dim, i, {s * head_dim, (s + 1) * head_dim});
  }
  /// Block of L_part: part s of (Nq, parts) in fp32
  __device__ Rows<float> part_statistics(void* tensor, Range i, std::int32_t s) const {
    return rows_of<float>(tensor, query, seqlen_q, parts, i, {s, s + 1});
  }
};

template <class T>
__device__ Head<T> head_of(const Arguments& a, std::int64_t query_head) {
  return {query_head, query_head / (a.heads / a.kv_heads), a.seqlen_q, a.seqlen_k, a.head_dim, a.parts};
}
/// Tensors of a KV head; its query tensors are those of the first query head of its group.
template <class T>
__device__ Head<T> kv_head_of(const Arguments& a, std::int64_t kv_head) {
  return head_of<T>(a, kv_head * (a.heads / a.kv_heads));
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
