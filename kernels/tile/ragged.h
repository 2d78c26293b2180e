// Ragged batches in a kernel: maps a CTA to its batch entry, and an entry to its rows. Q, O, dO, dQ are packed rows
// (rows of all entries, heads, d), K, V, dK, dV likewise with KV heads; L, D (heads, rows of all entries) and dQ_acc
// (heads, rows of all entries, d). The table `sequences`, (entries, 4) of int32, gives each entry's first query, Nq,
// first key, Nk. A CTA reads its row of the table once, 16 bytes. The search for the entry reads a kernel parameter, in
// constant memory: the first CTA of each class of equal entries. A binary search takes 8 steps; flash-attention's
// kernels, whose grid gives each entry the number of CTAs of the longest one, take none, and CTAs without rows exit
// at once.
#pragma once
#include <vector>

#include "kernels/tile/grid.h"
#include "kernels/tile/ragged_batch.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// CTAs of a launch over a ragged batch, by class of entries in the order of issue.
struct RaggedGrid {
  struct Class {
    std::uint32_t first_cta;
    std::int32_t first_entry, blocks;  ///< blocks: CTAs of a head
  };
  const std::int32_t* sequences;
  std::int64_t query_rows, ctas;  ///< queries of all entries; CTAs of the launch
  std::int32_t count;
  Class classes[most_ragged_classes];
};

/// Assigns a CTA to each block of `size` rows, or keys, of each head.
inline RaggedGrid ragged_grid(const RaggedBatch& batch, std::int32_t heads, std::int32_t RaggedClass::*extent,
                              std::int32_t size) {
  RaggedGrid grid{batch.sequences, batch.query_rows, 0, 0, {}};
  for (const RaggedClass& c : batch.classes) {
    const std::int32_t blocks = blocks_of(c.*extent, size);
    grid.classes[grid.count++] = {static_cast<std::uint32_t>(grid.ctas), c.first_entry, blocks};
    grid.ctas += std::int64_t{c.entries} * heads * blocks;
  }
  return grid;
}
inline RaggedGrid ragged_row_blocks(const RaggedBatch& batch, const Arguments& a) {
  return ragged_grid(batch, a.heads, &RaggedClass::seqlen_q, a.br);
}
inline RaggedGrid ragged_column_blocks(const RaggedBatch& batch, const Arguments& a) {
  return ragged_grid(batch, a.kv_heads, &RaggedClass::seqlen_k, a.bc);
}

/// Batch entry of a CTA, the head in it, and the block among its `blocks`.
struct RaggedPlace {
  std::int32_t entry, head, block, blocks;
};

/// Entry, head and block of CTA `index`: entries outermost, then heads, then blocks.
__device__ inline RaggedPlace ragged_place(const RaggedGrid& grid, std::uint32_t index, std::int32_t heads) {
  std::int32_t found = 0;
  for (std::int32_t step = most_ragged_classes / 2; step > 0; step /= 2) {
    if (found + step < grid.count && grid.classes[found + step].first_cta <= index) found += step;
  }
  const std::int32_t blocks = grid.classes[found].blocks;
  const std::uint32_t within = index - grid.classes[found].first_cta;
  const auto head = static_cast<std::int32_t>(within / static_cast<std::uint32_t>(blocks));
  return {grid.classes[found].first_entry + head / heads, head % heads,
          static_cast<std::int32_t>(within % static_cast<std::uint32_t>(blocks)), blocks};
}

/// Row of the table.
struct Sequence {
  std::int32_t first_query, seqlen_q, first_key, seqlen_k;
};

inline constexpr std::int64_t sequence_bytes = 16;  ///< shared memory to stage a row

/// Loads the row of a batch entry, through shared memory.
__device__ inline Sequence load_sequence(SmemAllocator& smem, const RaggedGrid& grid, std::int32_t entry) {
  std::int32_t* row = const_cast<std::int32_t*>(grid.sequences) + 4 * std::int64_t{entry};  // read-only
  const Tile<std::int32_t> its = load(smem.tile<std::int32_t>(1, 4), Rows<std::int32_t>{row, 1, 4, 4});
  return {its[0], its[1], its[2], its[3]};
}

/// Returns the arguments with the lengths of one entry, which determine masks and loops.
__device__ inline Arguments of_entry(Arguments a, const Sequence& its) {
  a.seqlen_q = its.seqlen_q;
  a.seqlen_k = its.seqlen_k;
  return a;
}

/// Blocks of a query head and its KV head in packed rows: the counterpart of Head for ragged batches.
template <class T>
struct PackedHead {
  std::int64_t first_query, first_key, query_rows;
  std::int32_t head, heads, kv_head, kv_heads, head_dim;

  __device__ Rows<T> queries(void* tensor, Range i) const {
    return packed<T>(tensor, first_query + i.begin, heads, head, i);
  }
  __device__ Rows<T> keys(void* tensor, Range j) const {
    return packed<T>(tensor, first_key + j.begin, kv_heads, kv_head, j);
  }
  __device__ Rows<float> statistics(void* tensor, Range i) const {
    return {static_cast<float*>(tensor) + head * query_rows + first_query + i.begin, i.size(), 1, 1};
  }
  __device__ Rows<float> sums(void* tensor, Range i) const {
    float* rows = static_cast<float*>(tensor) + (head * query_rows + first_query + i.begin) * head_dim;
    return {rows, i.size(), head_dim, head_dim};
  }

 private:
  template <class U>
  __device__ Rows<U> packed(void* tensor, std::int64_t row, std::int32_t of, std::int32_t which, Range range) const {
    return {static_cast<U*>(tensor) + (row * of + which) * head_dim, range.size(), head_dim, of * head_dim};
  }
};

/// Blocks of a query head of an entry.
template <class T>
__device__ PackedHead<T> packed_head(const Arguments& a, std::int64_t query_rows, const Sequence& its,
                                     std::int32_t head) {
  return {its.first_query, its.first_key, query_rows, head, a.heads, head / (a.heads / a.kv_heads),
          a.kv_heads,      a.head_dim};
}

/// A CTA that computes a row block of a head: the arguments with the lengths of its entry, the head's blocks in HBM,
/// the head's index over the batch, and its rows.
template <class T>
struct RaggedRowBlock {
  Arguments a;
  PackedHead<T> head;
  std::int64_t number;
  Range i;

  __device__ RaggedRowBlock(const Arguments& batch, const RaggedGrid& grid, SmemAllocator& smem) {
    const RaggedPlace place = ragged_place(grid, blockIdx.x, batch.heads);
    const Sequence its = load_sequence(smem, grid, place.entry);
    a = of_entry(batch, its);
    head = packed_head<T>(a, grid.query_rows, its, place.head);
    number = std::int64_t{place.entry} * a.heads + place.head;
    i = elements_of(a.seqlen_q, a.br, place.block);
  }
};

/// A CTA that computes a column block of a KV head: the arguments with the lengths of its entry, the blocks of that
/// head and of the query heads of its group in HBM, and its keys.
template <class T>
struct RaggedColumnBlock {
  Arguments a;
  const RaggedGrid& grid;
  Sequence its;
  std::int32_t kv_head;
  std::int64_t first;  ///< added to a head's index in its entry to index it over the batch
  Range j;

  __device__ RaggedColumnBlock(const Arguments& batch, const RaggedGrid& of_launch, SmemAllocator& smem)
      : grid(of_launch) {
    const RaggedPlace place = ragged_place(grid, blockIdx.x, batch.kv_heads);
    its = load_sequence(smem, grid, place.entry);
    a = of_entry(batch, its);
    kv_head = place.head;
    first = std::int64_t{place.entry} * a.heads;
    j = elements_of(a.seqlen_k, a.bc, place.block);
  }
  __device__ Range group() const { return group_of(a, kv_head); }
  __device__ PackedHead<T> of(std::int32_t head) const { return packed_head<T>(a, grid.query_rows, its, head); }
  __device__ PackedHead<T> kv() const { return of(group().begin); }
};

}  // namespace DEV_FLAVOUR
}  // namespace kernels
