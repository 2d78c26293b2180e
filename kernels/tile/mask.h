// Visible keys and live blocks, with 32-bit indices: matches sim/base/shape.h and the visits of sim/machine/grid.h.
#pragma once
#include "kernels/dev/dev.h"
#include "kernels/tile/arguments.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Half-open interval; empty if end <= begin.
struct Range {
  std::int32_t begin, end;
  __device__ bool empty() const { return end <= begin; }
  __device__ std::int32_t size() const { return empty() ? 0 : end - begin; }
  __device__ bool contains(std::int32_t n) const { return n >= begin && n < end; }
};

__device__ inline std::int32_t smaller(std::int32_t a, std::int32_t b) { return a < b ? a : b; }
__device__ inline std::int32_t larger(std::int32_t a, std::int32_t b) { return a > b ? a : b; }
__host__ __device__ inline std::int32_t blocks_of(std::int32_t extent, std::int32_t size) {
  return (extent + size - 1) / size;
}

/// Elements of block `index`; the last one may be short.
__device__ inline Range elements_of(std::int32_t extent, std::int32_t size, std::int32_t index) {
  return {index * size, smaller(extent, index * size + size)};
}

// Kernels that take neither right windows nor prefixes say so by `ahead` = false: bounds that need fewer registers.

/// Keys of one query; end < begin is possible. Neither end decreases from one query to the next.
template <bool ahead = true>
__device__ Range key_bounds(const Arguments& a, std::int32_t query) {
  const std::int32_t diagonal = query + a.seqlen_k - a.seqlen_q, unpadded = a.seqlen_k - a.padding;
  const auto end = [&] {
    if constexpr (ahead) return smaller(unpadded, larger(a.prefix, diagonal + a.window_right + 1));
    return a.causal ? smaller(unpadded, diagonal + 1) : unpadded;
  };
  return {a.window >= 0 ? larger(0, diagonal - a.window) : 0, end()};
}

/// Queries of one key; end < begin is possible. Neither end decreases from one key to the next.
template <bool ahead = true>
__device__ Range query_bounds(const Arguments& a, std::int32_t key) {
  const std::int32_t diagonal = key + a.seqlen_q - a.seqlen_k;
  const auto begin = [&] {
    if constexpr (ahead) return key < a.prefix ? 0 : larger(0, diagonal - a.window_right);
    return a.causal ? larger(0, diagonal) : 0;
  };
  return {begin(), a.window >= 0 ? smaller(a.seqlen_q, diagonal + a.window + 1) : a.seqlen_q};
}

/// Queries that see at least one key.
template <bool ahead = true>
__device__ Range seeing_queries(const Arguments& a) {
  const std::int32_t shift = a.seqlen_q - a.seqlen_k, unpadded = a.seqlen_k - a.padding;
  if (unpadded == 0) return {0, 0};
  const auto begin = [&] {
    if constexpr (ahead) return a.prefix > 0 ? 0 : larger(0, shift - a.window_right);
    return a.causal ? larger(0, shift) : 0;
  };
  return {begin(), a.window >= 0 ? smaller(a.seqlen_q, unpadded + shift + a.window) : a.seqlen_q};
}

/// Keys that at least one of the queries sees: a union without gaps.
template <bool ahead = true>
__device__ Range live_keys(const Arguments& a, Range queries) {
  const Range seeing = seeing_queries<ahead>(a);
  const Range some = {larger(queries.begin, seeing.begin), smaller(queries.end, seeing.end)};
  if (some.empty()) return {0, 0};
  return {key_bounds<ahead>(a, some.begin).begin, key_bounds<ahead>(a, some.end - 1).end};
}

/// Keys that at least one query sees: unpadded, and not before the window of query 0.
__device__ inline Range seen_keys(const Arguments& a) {
  return {a.window >= 0 ? larger(0, a.seqlen_k - a.seqlen_q - a.window) : 0, a.seqlen_k - a.padding};
}

/// Queries that see at least one of the keys.
template <bool ahead = true>
__device__ Range live_queries(const Arguments& a, Range keys) {
  const Range all = seen_keys(a), seen = {larger(keys.begin, all.begin), smaller(keys.end, all.end)};
  if (seen.empty()) return {0, 0};
  return {query_bounds<ahead>(a, seen.begin).begin, query_bounds<ahead>(a, seen.end - 1).end};
}

/// Keys that each of the queries sees.
template <bool ahead = true>
__device__ Range full_keys(const Arguments& a, Range queries) {
  return {key_bounds<ahead>(a, queries.end - 1).begin, key_bounds<ahead>(a, queries.begin).end};
}

/// Blocks of `size` that share an element with the range.
__device__ inline Range blocks_touching(Range elements, std::int32_t size) {
  if (elements.empty()) return {0, 0};
  return {elements.begin / size, blocks_of(elements.end, size)};
}

/// Key blocks with at least one key visible to the queries: the iterations of a row block's loop.
template <bool ahead = true>
__device__ Range live_key_blocks(const Arguments& a, Range queries) {
  return blocks_touching(live_keys<ahead>(a, queries), a.bc);
}

/// Row blocks that see at least one of the keys: the iterations of a column block's loop.
template <bool ahead = true>
__device__ Range live_query_blocks(const Arguments& a, Range keys) {
  return blocks_touching(live_queries<ahead>(a, keys), a.br);
}

/// True if the tile holds a pair that the mask hides: its scores then need the mask.
template <bool ahead = true>
__device__ bool needs_mask(const Arguments& a, Range queries, Range keys) {
  const Range full = full_keys<ahead>(a, queries);
  return keys.begin < full.begin || keys.end > full.end;
}

/// True if the tile holds a visible pair.
__device__ inline bool is_live(const Arguments& a, Range queries, Range keys) {
  const Range live = live_keys(a, queries);
  return larger(live.begin, keys.begin) < smaller(live.end, keys.end);
}

template <bool ahead = true>
__device__ bool visible(const Arguments& a, std::int32_t query, std::int32_t key) {
  return key_bounds<ahead>(a, query).contains(key);
}

/// Index of the first element of a head's rows: 64 bits, for strides beyond 2^31.
__host__ __device__ constexpr std::int64_t head_offset(std::int64_t batch, std::int64_t heads, std::int64_t head,
                                                       std::int64_t rows, std::int64_t cols) {
  return ((batch * heads + head) * rows) * cols;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
