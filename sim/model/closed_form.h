// Closed forms of the bytes that a plan moves and the work that it computes, each with its equation. They are derived
// from the papers and the conventions only, without the tile machine; tests check count == closed form on every shape.
//
// An equation is a product of numbers and symbols, such as "B H Tr Nk d e". Its symbols:
//   B, H, Hk          batch, query heads, KV heads
//   Nq, Nk, d         queries, keys, head dimension
//   e                 bytes per element; statistics have 4
//   Tr, Tc            row blocks ceil(Nq / Br) and column blocks ceil(Nk / Bc) of the kernel
// and under a mask, if a program skips the tiles without a visible pair, sums over the other (live) tiles:
//   Rq, Ck            query rows in live row blocks, key rows in live column blocks
//   Aq                the query rows of every live tile: what an outer loop over column blocks reads of Q
//   Mq                Aq - Rq: the query rows that were met before
//   Ak                the key rows of every live tile: what an outer loop over row blocks reads of K
//   A                 the elements of every live tile
//   Tl                live tiles
// and if the keys are split into parts:
//   Ns, Nl            parts, and those of them that hold a key
//   Nm                parts, or 0 for a single one, which a kernel copies
//   Pq                the query rows of every part that sees something
// and if K and V lie in pages:
//   Np                pages of the keys of one entry
//   Pt                the pages that live tiles touch, summed over the tiles: what the loops read of the page table
// For a run over steps an equation is summed over them: T is their number, and sum(Nk) the sum of their Nk, if it
// grows. On several GPUs it is one over the problems that a GPU runs, T times each. For a ragged batch an equation
// holds for each class of entries, and the term is the sum over classes; likewise for the pieces of the problem that a
// launch has (Launch::pieces), whose B, H, Nq and Tr are those of the piece. Blocks count whole, masked rows included,
// except the short last one. Without a mask Rq = Nq, Ck = Nk, Aq = Tc Nq, Mq = (Tc-1) Nq, Ak = Tr Nk, A = Nq Nk, Tl =
// Tr Tc, Pq = Nl Nq, and Pt = Tr Np where a tile holds whole pages, else Tr Tc; the equations are written so.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/programs/plan.h"

namespace sim {

/// Symbols with their values, in order of appearance.
using SymbolValues = std::vector<std::pair<std::string, std::int64_t>>;

/// A summand of a term: its equation with the symbols of one class of a ragged batch.
struct ClassTerm {
  SymbolValues values;
  std::int64_t result = 0;
};

/// One term: bytes that a kernel moves of one tensor in one direction and bucket.
struct TrafficTerm {
  std::string kernel;
  Tensor tensor = Tensor::none;
  Direction direction = Direction::none;
  Bucket bucket = Bucket::matrix;
  std::string equation;  ///< "B H Tr Nk d e"
  SymbolValues values;   ///< for a ragged batch, those of its first class
  Bytes bytes;
  std::vector<ClassTerm> classes = {};  ///< for a ragged batch, whose equation is a sum over them; else empty
};

/// Work of one kind; several terms may add up to one quantity of a kernel.
struct WorkTerm {
  std::string kernel, quantity;  ///< quantity: "matmul_flops", "other_flops", "exp_count"
  std::string what;              ///< "alpha O + P V": the computation
  std::string equation;
  SymbolValues values;
  std::int64_t count = 0;
  std::vector<ClassTerm> classes = {};
};

/// True if the program has closed forms; a recorded one has none, and no terms below.
bool has_closed_forms(const Plan& plan);

/// Returns the tile traffic of a plan, one term per (kernel, tensor, direction, bucket) that moves anything.
/// Cost: O(1) without a mask, O(min(Tr, Tc)) with one. Throws Error for a kernel without equations.
std::vector<TrafficTerm> closed_form_traffic(const Plan& plan);

/// Returns FLOPs and exps of a plan, for the elements of live tiles, masked ones included; work per row (alpha, l, L)
/// is not counted. Cost and errors as above.
std::vector<WorkTerm> closed_form_work(const Plan& plan);

/// True for "sum(Nk)".
inline bool is_sum_over_steps(std::string_view symbol) { return symbol.starts_with("sum(") && symbol.ends_with(")"); }

/// Returns the meaning of a symbol: "Nq" -> "queries"; of a sum over steps, "sum(Nk)", that of Nk; "" if unknown.
std::string_view symbol_meaning(std::string_view symbol);

}  // namespace sim
