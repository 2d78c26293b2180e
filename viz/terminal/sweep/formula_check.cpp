#include "viz/terminal/sweep/formula_check.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/units.h"
#include "sim/report/quantities.h"

namespace terminal {
namespace {

const std::vector<std::string> symbols = {"N", "Nq", "Nk", "d", "Br", "Bc", "Tr", "Tc", "M", "e", "h", "b"};

/// In the order of the symbols.
std::vector<double> values_of(const sim::Plan& plan) {
  const sim::Shape& shape = plan.problem.shape;
  const sim::Tiling& tiles = plan.problem.tiling;
  const std::int64_t e = sim::size_of(plan.problem.dtype);
  const std::int64_t tr = sim::ceil_div(shape.seqlen_q, tiles.br), tc = sim::ceil_div(shape.seqlen_k, tiles.bc);
  std::vector<double> values;
  for (const std::int64_t value : {shape.seqlen_q, shape.seqlen_q, shape.seqlen_k, shape.head_dim, tiles.br, tiles.bc,
                                   tr, tc, plan.capacity.smem.count() / e, e, shape.heads, shape.batch}) {
    values.push_back(static_cast<double>(value));
  }
  return values;
}

bool parses_without_n(const std::string& formula) {
  try {
    sim::Expression::parse(formula, {symbols.begin() + 1, symbols.end()});
    return true;
  } catch (const sim::Error&) {
    return false;
  }
}

}  // namespace

FormulaCheck::FormulaCheck(const std::string& formula, std::string against)
    : expression_(sim::Expression::parse(formula, symbols)),
      against_(std::move(against)),
      names_n_(!parses_without_n(formula)) {}

FormulaCheck::Comparison FormulaCheck::compare(const sim::Simulation& simulation,
                                               const nlohmann::ordered_json& json) const {
  const double count = report::number_at(json, against_);
  const sim::Shape& shape = simulation.plan.problem.shape;
  sim::require(!names_n_ || shape.seqlen_q == shape.seqlen_k, "formula: N is not one number: there are ",
               shape.seqlen_q, " queries and ", shape.seqlen_k, " keys: use Nq and Nk");
  const double formula = expression_.evaluate(values_of(simulation.plan));
  sim::require(formula > 0, "formula: ", formula, " is not above 0");
  const double ratio = count / formula;
  sim::require(std::isfinite(ratio), "formula: ", formula, " is too small for a ratio");
  return {formula, ratio};
}

}  // namespace terminal
