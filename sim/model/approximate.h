// Approximate attention, and the dense attention that it is compared with: growth of products and bytes with the number
// of tokens, as formulas. Nothing here is replayed or measured; the formulas are shown next to programs that are.
//
// Inaccuracies: one forward pass without a mask, Nq = Nk; matrix products only; each kernel reads its inputs and writes
// its outputs once, as frameworks without fused kernels do, so that scores and weights are written and read; sorting,
// hashing, drawing features and copies of gathered blocks are omitted. Sizes are those of the comparison in Dao et al.
// 2022, appendix E.6: c = min(N/8, 256) keys or features, if the family has no published size of its own.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "sim/programs/plan.h"

namespace sim {

/// A family of approximations, with formulas as `sweep --formula` takes them (sim/model/formula_symbols.h), for a whole
/// problem.
struct ApproximateFamily {
  std::string_view name;   ///< "linformer"
  std::string_view flops;  ///< FLOPs of matrix products
  std::string_view bytes;  ///< bytes between kernels and memory
  std::string_view keys;   ///< keys that each query attends to, described
  std::string_view source;
};

/// Range of tokens in which measured runtimes of approximate attention cross FlashAttention's.
/// Source: Dao et al. 2022, section 4.3, A100.
inline constexpr std::int64_t published_crossover[] = {512, 1024};

/// All families. The first is dense attention that never stores its scores, the minimum that FlashAttention can move.
std::span<const ApproximateFamily> approximate_families();

/// A formula given by its name, "linformer:flops" or "linformer:bytes", with the quantity that it is compared with; any
/// other text is a formula itself. Throws Error with the nearest name if the part before a colon is unknown.
struct NamedFormula {
  std::string formula;
  std::string_view against;  ///< a JSON path of simulate; empty for a formula itself
};
NamedFormula named_formula(const std::string& typed);

/// Returns the least time in microseconds that the roofline of the plan's device allows: max(FLOPs / peak, bytes / HBM
/// bandwidth). Throws Error if queries and keys differ in number.
double least_microseconds(const ApproximateFamily& family, const Plan& plan);

}  // namespace sim
