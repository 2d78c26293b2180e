// K and V in pages, for a kernel. A pool, (pages, KV heads, tokens of a page, d), holds the pages of all batch entries;
// the block table has an int32 for each page of each entry, entry after entry: its number in the pool. Slots after the
// last key of an entry hold no key. vLLM splits the rows of K in chunks, which changes sectors and no bytes.
#pragma once
#include <cstdint>

#include "kernels/tile/ragged_batch.h"

namespace kernels {

/// The pages of a batch. A kernel parameter, so that the search for the entry of a CTA reads constant memory.
struct PagedBatch {
  struct Class {
    std::int32_t entries, keys;
  };
  const std::int32_t* block_table = nullptr;  ///< in device memory
  const std::int32_t* seq_lens = nullptr;  ///< keys of each entry, in device memory; null if kernels do not read them
  std::int32_t page_rows = 1;              ///< tokens of a page
  std::int32_t part_keys = 0;              ///< keys of a part in version 2 of paged-attention; 0: version 1
  std::int32_t count = 0;
  Class classes[most_ragged_classes] = {};  ///< entries of equal lengths, in the order of the entries
};

}  // namespace kernels
