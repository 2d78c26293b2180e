// Batches whose K and V lie in pages, for the kernels: the pool, its block table, the lengths (tile/paged_batch.h).
#pragma once
#include <vector>

#include "kernels/tile/paged_batch.h"
#include "kernels/verify/tensors.h"

namespace kernels {

/// Classes, pages and parts of a plan, and those of its tables that are allocated.
PagedBatch paged_batch(const sim::Plan& plan, const Tensors& tensors);

/// The block table: each entry has a random permutation of pages of its own, which follow those of the preceding entry.
std::vector<std::int32_t> block_table(const sim::Plan& plan);

/// Keys of each entry.
std::vector<std::int32_t> sequence_lengths(const sim::Plan& plan);

/// True if the rows of a tensor lie in pages.
bool is_paged(const sim::Plan& plan, sim::Tensor tensor);

/// The pool with K or V, given entry after entry, (heads, N, columns) each. Slots without a key are NaN.
std::vector<float> pool(const sim::Plan& plan, sim::Tensor tensor, const std::vector<float>& values);

}  // namespace kernels
