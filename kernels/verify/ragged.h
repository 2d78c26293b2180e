// Converts ragged batches for the kernels: the order of classes, the table, and packed rows (tile/ragged.h).
#pragma once
#include <vector>

#include "kernels/tile/ragged_batch.h"
#include "sim/programs/plan.h"

namespace kernels {

/// Classes of a plan in the order of issue, without the table: in file order, or longest loops first.
RaggedBatch ragged_batch(const sim::Plan& plan, const sim::Launch& launch);

/// The table `sequences`: first query, Nq, first key, Nk of each batch entry.
std::vector<std::int32_t> sequence_table(const sim::Plan& plan);

/// Packs values stored entry after entry, (heads, N, columns) each, for the kernels: (rows of all entries, heads,
/// columns), statistics as (heads, rows of all entries). Returns them unchanged if all entries are alike.
std::vector<float> packed(const sim::Plan& plan, sim::Tensor tensor, const std::vector<float>& values);
/// Inverse of packed().
std::vector<float> unpacked(const sim::Plan& plan, sim::Tensor tensor, const std::vector<float>& values);

}  // namespace kernels
