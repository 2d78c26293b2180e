// The symbols of formulas that people write about a run: N, d, Br, Tc ...
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/programs/scenario.h"

namespace sim {

/// What a formula may name, for help and documents.
inline constexpr std::string_view formula_symbols_help =
    "N (queries and keys), Nq, Nk, d, Br, Bc, Tr, Tc, M (on-chip memory in elements), e (bytes per element), h (query "
    "heads), b (batch)";

const std::vector<std::string>& formula_symbols();

/// Their values in a run, in the same order.
std::vector<double> symbol_values(const Plan& plan);

/// The value of a formula in a run. Throws Error with the position of what is wrong in it, and when it says N where
/// queries and keys differ in number.
double formula_value(const std::string& formula, const Plan& plan);

}  // namespace sim
