// Batch entry of a CTA of a tensor-core kernel over a ragged batch, kept in shared memory.
#pragma once
#include "kernels/attention/support.h"
#include "kernels/tile/ragged.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// The entry of a CTA, with its head and block; follows the tiles in shared memory.
struct RaggedEntry {
  Sequence its;
  std::int32_t entry, head, block;
  std::int32_t query_rows;  ///< query rows of all entries
};
static_assert(sizeof(RaggedEntry) == ragged_entry_bytes);

template <int tile_bytes>
__device__ const RaggedEntry& ragged_entry() {
  return *reinterpret_cast<const RaggedEntry*>(dev::shared_memory() + tile_bytes);
}

/// Reads the entry's row of the table, 16 bytes by one thread, and waits for it. `last_first`: issues a head's last row
/// blocks first, since a causal mask makes them the longest.
template <int tile_bytes>
__device__ void find_entry(const RaggedGrid& grid, std::int32_t heads, bool last_first) {
  if (threadIdx.x == 0) {
    const RaggedPlace place = ragged_place(grid, blockIdx.x, heads);
    RaggedEntry& entry = *reinterpret_cast<RaggedEntry*>(dev::shared_memory() + tile_bytes);
    dev::store_chunk(&entry, dev::load_chunk(grid.sequences + 4 * std::int64_t{place.entry}));
    entry.entry = place.entry;
    entry.head = place.head;
    entry.block = last_first ? place.blocks - 1 - place.block : place.block;
    entry.query_rows = static_cast<std::int32_t>(grid.query_rows);
  }
  __syncthreads();
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
