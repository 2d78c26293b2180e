// Ragged batches on their way to the kernels and back: the order of classes, the table, and rows packed as kernels have
// them (tile/ragged.h).
#pragma once
#include <vector>

#include "kernels/tile/ragged_batch.h"
#include "sim/programs/scenario.h"

namespace kernels {

/// The classes of a plan as a launch issues them, without the table: in file order, or those first whose CTAs have the
/// longest loops.
RaggedBatch ragged_batch(const sim::Plan& plan, const sim::Launch& launch);

/// The table `sequences`: of each batch entry first query, Nq, first key, Nk.
std::vector<std::int32_t> sequence_table(const sim::Plan& plan);

/// Values that lie entry after entry, (heads, N, columns) each, as kernels take them: (rows of all entries, heads,
/// columns), of statistics (heads, rows of all entries). Where all entries are alike they are the same.
std::vector<float> packed(const sim::Plan& plan, sim::Tensor tensor, const std::vector<float>& values);
/// Undoes packed().
std::vector<float> unpacked(const sim::Plan& plan, sim::Tensor tensor, const std::vector<float>& values);

}  // namespace kernels
