// The steps of one row's softmax as text and JSON: what flashscope simulate --row prints.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/model/row_answer.h"

namespace report {

/// Number of components of O that are reported for each tile.
inline constexpr std::size_t reported_components = 8;

/// Returns every tile with its scores, weights and numbers; numbers that are not finite are null. `without_alpha` adds
/// the answer in which the rescaling is skipped.
nlohmann::ordered_json to_json(const sim::SoftmaxRow& row, bool without_alpha);

/// Returns the row as tables: a line for each tile, the first components of O before and after, the largest shares.
std::string to_table(const sim::SoftmaxRow& row, bool without_alpha);

/// True if the answers with and without alpha can differ: the program rescales earlier sums.
bool rescales(const sim::SoftmaxRow& row);

}  // namespace report
