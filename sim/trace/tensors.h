// Properties of the tensors that programs name; all code that distinguishes tensors reads them here. Tensors of several
// programs have their rows in sim/trace/tensor_table.h; a tensor of only one program is declared with that program.
#pragma once
#include <optional>
#include <span>

#include "sim/base/dtype.h"
#include "sim/trace/event.h"

namespace sim {

/// Owner of a copy of a tensor: each query head, each KV head (shared by its query heads), each batch entry, or the
/// whole batch.
enum class Owner : std::uint8_t { query_head, kv_head, entry, everyone };

/// Number of rows or columns per owner: the number of queries (Nq), keys (Nk), elements in a row of Q (d) or V (dv),
/// row blocks (Tr) or key blocks (Tc), pages of the keys (Np), or a fixed number for any shape.
struct Extent {
  enum class Of : std::uint8_t { number, Nq, Nk, d, dv, Tr, Tc, Np };
  Of of = Of::number;
  std::int64_t number = 1;
  bool operator==(const Extent&) const = default;
};
namespace extents {
inline constexpr Extent one, four{Extent::Of::number, 4}, Nq{Extent::Of::Nq}, Nk{Extent::Of::Nk}, d{Extent::Of::d},
    dv{Extent::Of::dv}, Tr{Extent::Of::Tr}, Tc{Extent::Of::Tc}, Np{Extent::Of::Np};
}

struct TensorFacts {
  std::string_view name;
  Owner owner = Owner::query_head;
  Extent rows = extents::Nq, cols = extents::d;  ///< per owner; columns of one part
  bool in_parts = false;                         ///< has a copy for each part of the keys, adjacent within a row
  std::optional<Dtype> own_type = {};            ///< dtype of its elements in HBM; empty: the scenario's
  bool statistic = false;                        ///< counted as statistics
  Tensor family = Tensor::none;  ///< Q, K, V, S, P or O: its letter and colour; none: statistics and masks
  bool gradient = false;         ///< true for the gradient of its family
  bool of_caller = false;        ///< an input or a result of attention: owned by the caller, not the program
};
const TensorFacts& facts_of(Tensor tensor);

/// Registers a tensor in HBM that only one program names, before main() begins:
/// `const Tensor O_tmp = declare_tensor({.name = "O_tmp", .own_type = Dtype::fp32, .family = Tensor::O});`
/// Bodies name it as hbm[O_tmp]. Throws Error if the name is taken or the table of tensors is full.
Tensor declare_tensor(const TensorFacts& facts);

/// Tensors that may be in HBM, in the order of reports; declared ones come last.
std::span<const Tensor> hbm_tensors();

/// Tensors that may be in HBM, followed by those that exist on chip only.
std::span<const Tensor> all_tensors();

/// True for tensors with an element per query and key: S, P, their stages and gradients, and the dropout mask.
inline bool is_score_matrix(Tensor tensor) {
  return facts_of(tensor).rows == extents::Nq && facts_of(tensor).cols == extents::Nk;
}

/// True for a tensor with an element per tile: the pattern of block-sparse attention.
inline bool is_block_map(Tensor tensor) {
  return facts_of(tensor).rows == extents::Tr && facts_of(tensor).cols == extents::Tc;
}

/// True for a tensor with a number for each block of rows, such as the scales of e4m3.
inline bool is_per_block(Tensor tensor) {
  const TensorFacts& facts = facts_of(tensor);
  return (facts.rows == extents::Tr || facts.rows == extents::Tc) && facts.cols == extents::one;
}

/// True for a table that all heads share, such as the begins of the batch entries: its bytes count, its values do not.
inline bool is_table(Tensor tensor) { return facts_of(tensor).owner >= Owner::entry; }

/// True if there is a copy for each part of the keys.
inline bool is_in_parts(Tensor tensor) { return facts_of(tensor).in_parts; }

/// True for tensors with one number per query, or per query and part.
inline bool is_per_row(Tensor tensor) {
  return facts_of(tensor).rows == extents::Nq && facts_of(tensor).cols == extents::one;
}

/// True for O and its later stages, but not for its parts and its gradient.
inline bool is_output(Tensor tensor) {
  const TensorFacts& facts = facts_of(tensor);
  return facts.family == Tensor::O && !facts.gradient && !facts.in_parts;
}

/// Base name and stage of a tensor: "dQ" and "acc" for dQ_acc; most tensors have only the stage "".
std::string_view stem_of(Tensor tensor);
std::string_view stage_of(Tensor tensor);

/// True for the scores S and their later stages, such as S_masked.
inline bool is_scores(Tensor tensor) { return stem_of(tensor) == "S"; }

}  // namespace sim
