#include "viz/results/formula_check.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/model/approximate.h"
#include "sim/report/quantities.h"

namespace results {

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

std::optional<FormulaCheck> formula_check(const std::optional<std::string>& formula,
                                          const std::optional<std::string>& against) {
  sim::require(formula || !against, "against: needs a --formula to compare with");
  if (!formula) return std::nullopt;
  const sim::NamedFormula named = sim::named_formula(*formula);
  const std::string_view usual = named.against.empty() ? "tile_traffic.total" : named.against;
  return FormulaCheck(named.formula, against.value_or(std::string(usual)));
}

}  // namespace results
