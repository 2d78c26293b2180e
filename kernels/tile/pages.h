// Pages in a kernel of one query per entry: maps a CTA to its entry, head and part, and reads the block table.
#pragma once
#include "kernels/tile/paged_batch.h"
#include "kernels/tile/tile.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Parts of a sequence; 1 in version 1.
__host__ __device__ inline std::int32_t parts_of(const PagedBatch& batch, std::int32_t keys) {
  return batch.part_keys == 0 ? 1 : blocks_of(keys, batch.part_keys);
}

/// CTAs of a launch: one for each part of each head of each entry, or for each head of each entry.
inline std::int64_t paged_ctas(const PagedBatch& batch, std::int32_t heads, bool by_part) {
  std::int64_t ctas = 0;
  for (std::int32_t n = 0; n < batch.count; ++n) {
    const auto [entries, keys] = batch.classes[n];
    ctas += std::int64_t{entries} * heads * (by_part ? parts_of(batch, keys) : 1);
  }
  return ctas;
}

/// Head and part of a CTA, and what precedes them in memory: entries are outermost, then heads, then parts.
struct PagedPlace {
  std::int32_t entry, head, part;
  std::int64_t first_page;  ///< pages of the preceding entries
  std::int64_t first_part;  ///< parts of the preceding heads, over the batch
};

/// Walks along the classes, of which there are few.
__device__ inline PagedPlace paged_place(const PagedBatch& batch, std::uint32_t index, std::int32_t heads,
                                         bool by_part) {
  PagedPlace at = {};
  for (std::int32_t n = 0;; ++n) {
    const std::int32_t entries = batch.classes[n].entries, keys = batch.classes[n].keys;
    const std::int32_t pages = blocks_of(keys, batch.page_rows), parts = parts_of(batch, keys);
    const auto of_head = static_cast<std::uint32_t>(by_part ? parts : 1);
    const std::uint32_t of_entry = static_cast<std::uint32_t>(heads) * of_head;
    const bool inside = index < static_cast<std::uint32_t>(entries) * of_entry;
    const auto passed = inside ? static_cast<std::int32_t>(index / of_entry) : entries;
    at.entry += passed;
    at.first_page += std::int64_t{passed} * pages;
    at.first_part += std::int64_t{passed} * heads * parts;
    index -= static_cast<std::uint32_t>(passed) * of_entry;
    if (!inside) continue;
    at.head = static_cast<std::int32_t>(index / of_head);
    at.part = static_cast<std::int32_t>(index % of_head);
    at.first_part += std::int64_t{at.head} * parts;
    return at;
  }
}

/// Keys of an entry, read once by one thread.
__device__ inline std::int32_t load_length(SmemAllocator& smem, const PagedBatch& batch, std::int32_t entry) {
  std::int32_t* length = const_cast<std::int32_t*>(batch.seq_lens) + entry;  // read-only
  return load(smem.tile<std::int32_t>(1, 1), Rows<std::int32_t>{length, 1, 1, 1})[0];
}

/// Number in the pool of a page of an entry, read once by one lane of the warp that calls this.
__device__ inline std::int32_t look_up(const PagedBatch& batch, std::int64_t page) {
  std::int32_t number = 0;
  if (this_thread() % 32 == 0) number = batch.block_table[page];
  return __shfl_sync(0xffffffffu, number, 0);
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
