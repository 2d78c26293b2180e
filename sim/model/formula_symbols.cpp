#include "sim/model/formula_symbols.h"

#include "sim/base/check.h"
#include "sim/base/expression.h"
#include "sim/base/units.h"
#include "sim/programs/ragged.h"

namespace sim {
namespace {

bool names_n(const std::string& formula) {
  const std::vector<std::string>& symbols = formula_symbols();
  try {
    Expression::parse(formula, {symbols.begin() + 1, symbols.end()});
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

const std::vector<std::string>& formula_symbols() {
  static const std::vector<std::string> symbols = {"N", "Nq", "Nk", "d", "Br", "Bc", "Tr", "Tc", "M", "e", "h", "b"};
  return symbols;
}

std::vector<double> symbol_values(const Plan& plan) {
  const Shape& shape = plan.problem.shape;
  const Tiling& tiles = plan.problem.tiling;
  const std::int64_t e = size_of(plan.problem.dtype);
  const std::int64_t tr = ceil_div(shape.seqlen_q, tiles.br), tc = ceil_div(shape.seqlen_k, tiles.bc);
  std::vector<double> values;
  for (const std::int64_t value : {shape.seqlen_q, shape.seqlen_q, shape.seqlen_k, shape.head_dim, tiles.br, tiles.bc,
                                   tr, tc, plan.capacity.smem.count() / e, e, shape.heads, shape.batch}) {
    values.push_back(static_cast<double>(value));
  }
  return values;
}

double formula_value(const std::string& formula, const Plan& plan) {
  require_alike(plan.scenario, "formula");
  const Expression expression = Expression::parse(formula, formula_symbols());
  const Shape& shape = plan.problem.shape;
  require(shape.seqlen_q == shape.seqlen_k || !names_n(formula), "formula: N is not one number: there are ",
          shape.seqlen_q, " queries and ", shape.seqlen_k, " keys: use Nq and Nk");
  return expression.evaluate(symbol_values(plan));
}

}  // namespace sim
