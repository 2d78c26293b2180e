#include "viz/terminal/sweep/formula_check.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/quantities.h"

namespace terminal {

FormulaCheck::FormulaCheck(const std::string& formula, std::string against)
    : formula_(sim::Expression::parse(formula, sim::formula_symbols()).source()), against_(std::move(against)) {}

FormulaCheck::Comparison FormulaCheck::compare(const sim::Simulation& simulation,
                                               const nlohmann::ordered_json& json) const {
  const double count = report::number_at(json, against_);
  const double formula = sim::formula_value(formula_, simulation.plan);
  sim::require(formula > 0, "formula: ", formula, " is not above 0");
  const double ratio = count / formula;
  sim::require(std::isfinite(ratio), "formula: ", formula, " is too small for a ratio");
  return {formula, ratio};
}

}  // namespace terminal
