// What is known of the tensors that programs name: a row for each. Whatever tells tensors apart asks here. A new one is
// a name in the enumeration, a row in tensors.cpp and, where it may lie in HBM, a member of Hbm.
#pragma once
#include <optional>

#include "sim/base/dtype.h"
#include "sim/trace/event.h"

namespace sim {

/// What one head has of it: d elements per query (Nq, d) or per key (Nk, d), one per query and key (Nq, Nk), or one
/// per query (Nq). `query_parts` and `row_parts` are copies of the first and the last, one for each part of the keys: a
/// query's copies lie side by side, (Nq, parts d) and (Nq, parts). `blocks`: one per tile (Tr, Tc). `entries`: four
/// for each batch entry, whatever the head.
enum class Extent : std::uint8_t { queries, keys, scores, rows, query_parts, row_parts, blocks, entries, nothing };

struct TensorFacts {
  Tensor tensor;
  std::string_view name;
  Extent extent;
  std::optional<Dtype> own_type;  ///< of its elements in HBM; none: the scenario's
  Tensor family;                  ///< Q, K, V, S, P or O, whose letter and colour it has; none for statistics and masks
  bool gradient;                  ///< of its family
  bool of_caller;                 ///< an input or a result of attention: the caller's, not the program's
};
const TensorFacts& facts_of(Tensor tensor);

/// Whether it has an element per query and key: S, P, their stages and gradients, and the dropout mask.
inline bool is_score_matrix(Tensor tensor) { return facts_of(tensor).extent == Extent::scores; }

/// Whether it has an element per tile: the pattern of block-sparse attention.
inline bool is_block_map(Tensor tensor) { return facts_of(tensor).extent == Extent::blocks; }

/// Whether it is a table of the batch entries: where each begins and ends.
inline bool is_table(Tensor tensor) { return facts_of(tensor).extent == Extent::entries; }

/// Whether there is a copy for each part of the keys.
inline bool is_in_parts(Tensor tensor) {
  const Extent extent = facts_of(tensor).extent;
  return extent == Extent::query_parts || extent == Extent::row_parts;
}

/// Whether it has one number per query, or per query and part.
inline bool is_per_row(Tensor tensor) {
  const Extent extent = facts_of(tensor).extent;
  return extent == Extent::rows || extent == Extent::row_parts;
}

/// "dQ" and "acc" of dQ_acc: what it is, and at which stage; most tensors have no other stage than "".
std::string_view stem_of(Tensor tensor);
std::string_view stage_of(Tensor tensor);

}  // namespace sim
