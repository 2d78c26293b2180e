// Attention that is not exact, and the dense one that it is set against: how products and bytes grow with the number of
// tokens, as formulas. Nothing here is replayed or measured; they stand beside the programs that are.
//
// Inaccuracies: one forward pass without a mask, Nq = Nk; matrix products alone; each kernel reads its inputs and
// writes its outputs once, as frameworks without fused kernels do, so that scores and weights are written and read;
// sorting, hashing, drawing features and copies of gathered blocks are left out. Sizes are those of the comparison in
// Dao et al. 2022, appendix E.6: c = min(N/8, 256) keys or features, where the family has no published size of its own.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "sim/programs/scenario.h"

namespace sim {

/// Formulas as `sweep --formula` takes them (sim/model/formula_symbols.h), of a whole problem.
struct ApproximateFamily {
  std::string_view name;   ///< "linformer"
  std::string_view flops;  ///< of matrix products
  std::string_view bytes;  ///< between kernels and memory
  std::string_view keys;   ///< what each query meets, in words
  std::string_view source;
};

/// Where the runtimes of approximate attention were measured to cross FlashAttention's: tokens, from and to.
/// Source: Dao et al. 2022, section 4.3, A100.
inline constexpr std::int64_t published_crossover[] = {512, 1024};

/// The first is dense attention that never stores its scores, the least that FlashAttention can move.
std::span<const ApproximateFamily> approximate_families();

/// A formula by its name, "linformer:flops" or "linformer:bytes", and what it is set against; any other text is a
/// formula itself. Throws Error with the nearest name where the part before a colon is none.
struct NamedFormula {
  std::string formula;
  std::string_view against;  ///< a JSON path of simulate; empty for a formula itself
};
NamedFormula named_formula(const std::string& typed);

/// The least time in microseconds that the roofs of the plan's device allow for both: max(FLOPs / peak, bytes / HBM
/// bandwidth). Throws Error where queries and keys differ in number.
double least_microseconds(const ApproximateFamily& family, const Plan& plan);

}  // namespace sim
