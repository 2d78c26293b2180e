// Symbols of formulas about a run: N, d, Br, Tc ...
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/programs/plan.h"

namespace sim {

/// The symbols that a formula may use, for help and documents.
inline constexpr std::string_view formula_symbols_help =
    "N (queries and keys), Nq, Nk, d, Br, Bc, Tr, Tc, M (on-chip memory in elements), e (bytes per element), h (query "
    "heads), b (batch)";

const std::vector<std::string>& formula_symbols();

/// Returns the values of formula_symbols() in a run, in that order.
std::vector<double> symbol_values(const Plan& plan);

/// Returns the value of a formula in a run. Throws Error with the position of a fault in it, and if it uses N while
/// queries and keys differ in number.
double formula_value(const std::string& formula, const Plan& plan);

}  // namespace sim
