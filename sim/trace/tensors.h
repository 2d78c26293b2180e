// The facts of the tensors that programs name: all that tells tensors apart asks here. Tensors of several programs have
// their rows in sim/trace/tensor_table.h; a tensor of one program alone is declared beside that program.
#pragma once
#include <optional>
#include <span>

#include "sim/base/dtype.h"
#include "sim/trace/event.h"

namespace sim {

/// Who has a copy of a tensor: each query head, each KV head (whose query heads share it), each batch entry, or the
/// whole batch together.
enum class Owner : std::uint8_t { query_head, kv_head, entry, everyone };

/// Number of rows or columns of one owner: as many as there are queries (Nq), keys (Nk), numbers in a row of Q (d), row
/// blocks (Tr) or key blocks (Tc), or a fixed number, whatever the shape.
struct Extent {
  enum class Of : std::uint8_t { number, Nq, Nk, d, Tr, Tc };
  Of of = Of::number;
  std::int64_t number = 1;
  bool operator==(const Extent&) const = default;
};
namespace extents {
inline constexpr Extent one, four{Extent::Of::number, 4}, Nq{Extent::Of::Nq}, Nk{Extent::Of::Nk}, d{Extent::Of::d},
    Tr{Extent::Of::Tr}, Tc{Extent::Of::Tc};
}

struct TensorFacts {
  std::string_view name;
  Owner owner = Owner::query_head;
  Extent rows = extents::Nq, cols = extents::d;  ///< of one owner; columns of one part
  bool in_parts = false;                         ///< has a copy for each part of the keys, side by side in a row
  std::optional<Dtype> own_type = {};            ///< of its elements in HBM; none: the scenario's
  bool statistic = false;                        ///< counted on the meter of statistics
  Tensor family = Tensor::none;  ///< Q, K, V, S, P or O, whose letter and colour it has; none for statistics and masks
  bool gradient = false;         ///< of its family
  bool of_caller = false;        ///< an input or a result of attention: the caller's, not the program's
};
const TensorFacts& facts_of(Tensor tensor);

/// Adds a tensor in HBM that one program alone names, before main() begins:
/// `const Tensor O_tmp = declare_tensor({.name = "O_tmp", .own_type = Dtype::fp32, .family = Tensor::O});`
/// Bodies name it as hbm[O_tmp]. Throws Error where a tensor has the name, or where there is no room for one more.
Tensor declare_tensor(const TensorFacts& facts);

/// Tensors that may have an address in HBM, in the order of reports; the declared ones are the last.
std::span<const Tensor> hbm_tensors();

/// Tensors that may have an address in HBM, and then those that live on chip alone.
std::span<const Tensor> all_tensors();

/// True where it has an element per query and key: S, P, their stages and gradients, and the dropout mask.
inline bool is_score_matrix(Tensor tensor) {
  return facts_of(tensor).rows == extents::Nq && facts_of(tensor).cols == extents::Nk;
}

/// True where it has an element per tile: the pattern of block-sparse attention.
inline bool is_block_map(Tensor tensor) { return facts_of(tensor).rows == extents::Tr; }

/// True for a table that all heads share, such as where the batch entries begin: its bytes count, its values do not.
inline bool is_table(Tensor tensor) { return facts_of(tensor).owner >= Owner::entry; }

/// True where there is a copy for each part of the keys.
inline bool is_in_parts(Tensor tensor) { return facts_of(tensor).in_parts; }

/// True where it has one number per query, or per query and part.
inline bool is_per_row(Tensor tensor) {
  return facts_of(tensor).rows == extents::Nq && facts_of(tensor).cols == extents::one;
}

/// True for O and its rows at another stage; its parts and its gradient are not meant.
inline bool is_output(Tensor tensor) {
  const TensorFacts& facts = facts_of(tensor);
  return facts.family == Tensor::O && !facts.gradient && !facts.in_parts;
}

/// "dQ" and "acc" of dQ_acc: what it is, and at which stage; most tensors have no other stage than "".
std::string_view stem_of(Tensor tensor);
std::string_view stage_of(Tensor tensor);

}  // namespace sim
